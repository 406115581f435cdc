//! The Model Context Protocol against parts that others wrote: the official clients call our server, reference servers are
//! taken in, and the conformance suite judges. `tests/peers/install` brings them; without it these tests try nothing and say
//! so, except in CI, where they fail.

mod clients;
mod conformance;
mod installed;
mod load;
mod servers;
