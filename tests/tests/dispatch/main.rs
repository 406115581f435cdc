//! What happens between the model's calls and the results that go back. Tests named `d_NN` are reported faults of other
//! software; the rest are the promises of the dispatcher.

mod aborts;
mod names;
mod observers;
mod order;
mod outcomes;
mod world;
