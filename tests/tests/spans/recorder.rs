//! A subscriber that keeps spans.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};

/// A span as it was kept.
#[derive(Clone, Debug)]
pub(super) struct Span {
    /// What OpenTelemetry would call it.
    pub(super) name: String,
    /// The place of the span that it hangs below.
    pub(super) parent: Option<usize>,
    pub(super) fields: BTreeMap<String, String>,
    pub(super) is_closed: bool,
}

/// Keeps each span of one thread, in the order in which they were opened.
#[derive(Clone, Default)]
pub(super) struct Recorder(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    spans: Vec<Span>,
    metadata: Vec<&'static Metadata<'static>>,
    handles: Vec<usize>,
    entered: Vec<usize>,
}

struct Fields<'a>(&'a mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}

impl Recorder {
    pub(super) fn spans(&self) -> Vec<Span> {
        self.lock().spans.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }
}

fn place(id: &Id) -> usize {
    usize::try_from(id.into_u64()).unwrap() - 1
}

fn id(place: usize) -> Id {
    Id::from_u64(u64::try_from(place).unwrap() + 1)
}

impl Subscriber for Recorder {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && (metadata.target().starts_with("tool_runtime") || metadata.name() == "inside")
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut state = self.lock();
        let mut fields = BTreeMap::new();
        attributes.record(&mut Fields(&mut fields));
        let name =
            fields.get("otel.name").cloned().unwrap_or_else(|| attributes.metadata().name().to_owned());
        let parent = match attributes.parent() {
            Some(parent) => Some(place(parent)),
            None if attributes.is_root() => None,
            None => state.entered.last().copied(),
        };
        state.spans.push(Span { name, parent, fields, is_closed: false });
        state.metadata.push(attributes.metadata());
        state.handles.push(1);
        id(state.spans.len() - 1)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        values.record(&mut Fields(&mut self.lock().spans[place(id)].fields));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, id: &Id) {
        self.lock().entered.push(place(id));
    }

    fn exit(&self, id: &Id) {
        let mut state = self.lock();
        let at = state.entered.iter().rposition(|entered| *entered == place(id)).unwrap();
        state.entered.remove(at);
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.lock().handles[place(id)] += 1;
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let mut state = self.lock();
        let at = place(&id);
        state.handles[at] -= 1;
        let is_closed = state.handles[at] == 0;
        state.spans[at].is_closed = is_closed;
        is_closed
    }

    fn current_span(&self) -> tracing_core::span::Current {
        let state = self.lock();
        match state.entered.last() {
            Some(&at) => tracing_core::span::Current::new(id(at), state.metadata[at]),
            None => tracing_core::span::Current::none(),
        }
    }
}
