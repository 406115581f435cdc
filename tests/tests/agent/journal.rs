//! What was done is recorded before anything else is decided, and can be gone on from.

use std::fs;
use std::sync::{Arc, Mutex};

use tests::responses_rules::complaints;
use tests::script::{ScriptedModel, Step, calls, results, says};
use tool_runtime::provider::responses::encode_input;
use tool_runtime::{
    BoxFuture, CancellationToken, Ending, FileJournal, Journal, JournalEntry, JournalError, JournalSync,
    MemoryJournal, Recovered, ToolOutput, WorkerAgentTool, recover,
};

use super::{agent, echo, finish, run, writes};

/// Each entry in a word, with its call.
fn words(entries: &[JournalEntry<'_>]) -> Vec<String> {
    let word = |entry: &JournalEntry<'_>| match entry {
        JournalEntry::Began { .. } => "began".to_owned(),
        JournalEntry::Responded { .. } => "responded".to_owned(),
        JournalEntry::Started { call_id, .. } => format!("{call_id} started"),
        JournalEntry::Answered { result, .. } => format!("{} answered", result.call_id),
        JournalEntry::Said { .. } => "said".to_owned(),
        JournalEntry::Ended { ending, .. } => format!("ended: {ending}"),
        _ => panic!(),
    };
    entries.iter().map(word).collect()
}

fn write() -> WorkerAgentTool {
    writes("write", |_, _| async { ToolOutput::text("written").completes("event_1") })
}

#[tokio::test]
async fn calls_are_recorded_before_they_start_and_results_before_anything_else() {
    let journal = MemoryJournal::new();
    let model = ScriptedModel::new([
        calls(&[("c1", "write", "{}"), ("c2", "nothing", "{}"), ("c3", "write", "[")]),
        says("done"),
    ]);
    let outcome = run(agent(&model, vec![write()]).journal(journal.clone())).await;
    assert_eq!(
        words(&journal.entries()),
        [
            "began",
            "responded",
            "c1 started",
            "c1 answered",
            "c2 answered",
            "c3 answered",
            "responded",
            "ended: finished"
        ]
    );
    let recovered = journal.recover();
    assert_eq!(recovered.items, outcome.items);
    assert_eq!(recovered.completes, ["event_1"]);
    assert_eq!(recovered.ended.as_deref(), Some("finished"));
}

#[tokio::test]
async fn what_the_loop_says_is_recorded_too() {
    let journal = MemoryJournal::new();
    let model = ScriptedModel::new([calls(&[("c1", "echo", "{}")]), says(""), says("done")]);
    let outcome = run(agent(&model, vec![echo("echo")]).journal(journal.clone())).await;
    assert!(words(&journal.entries()).contains(&"said".to_owned()));
    assert_eq!(journal.recover().items, outcome.items);
}

#[tokio::test]
async fn a_turn_that_is_dropped_leaves_what_it_did() {
    let journal = MemoryJournal::new();
    let model = ScriptedModel::new([Step::from(calls(&[("c1", "write", "{}")])), Step::Hang]);
    let turn = run(agent(&model, vec![write()]).journal(journal.clone()));
    let until_asked_twice = async {
        while model.asked().len() < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = turn => panic!("the model hangs"),
        () = until_asked_twice => {}
    }
    let recovered = journal.recover();
    assert_eq!(recovered.ended, None);
    assert_eq!(results(&recovered.items), [("c1".to_owned(), "written".to_owned())]);
}

/// What is recovered of a journal that ends after so many entries.
fn recovered_after(entries: &[JournalEntry<'static>], count: usize) -> Recovered {
    recover(entries[..count].iter().cloned())
}

#[tokio::test]
async fn wherever_it_is_broken_off_the_conversation_can_go_on_and_says_what_may_have_run() {
    let journal = MemoryJournal::new();
    let model = ScriptedModel::new([calls(&[("c1", "write", "{}"), ("c2", "write", "{}")]), says("done")]);
    run(agent(&model, vec![write()]).journal(journal.clone())).await;
    let entries = journal.entries();
    let summary = |count: usize| {
        let recovered = recovered_after(&entries, count);
        assert_eq!(complaints(&encode_input(&recovered.items)), Vec::<String>::new());
        let ids = |calls: &[tool_runtime::CallSummary]| {
            calls.iter().map(|call| call.call_id.clone()).collect::<Vec<_>>().join(" ")
        };
        (ids(&recovered.may_have_run), ids(&recovered.not_started))
    };
    let told: Vec<(String, String)> = (0..=entries.len()).map(summary).collect();
    let told: Vec<(&str, &str)> = told.iter().map(|(ran, not)| (ran.as_str(), not.as_str())).collect();
    assert_eq!(
        told,
        [
            ("", ""),      // nothing
            ("", ""),      // began
            ("", "c1 c2"), // responded
            ("c1", "c2"),  // c1 started
            ("", "c2"),    // c1 answered
            ("c2", ""),    // c2 started
            ("", ""),      // c2 answered
            ("", ""),      // responded
            ("", ""),      // ended
        ]
    );
    let lost = recovered_after(&entries, 3);
    let texts: Vec<String> = results(&lost.items).into_iter().map(|(_, text)| text).collect();
    assert_eq!(
        texts,
        [
            "error: the turn was broken off before the call was answered; it may have run and had effects: find out before \
             calling it again",
            "error: the turn was broken off before the call was answered; it was not started"
        ]
    );
}

#[tokio::test]
async fn calls_inside_a_wrapper_may_have_run_too() {
    let journal = MemoryJournal::new();
    let wrapped = r#"{"tool_uses":[{"recipient_name":"functions.write","parameters":{}}]}"#;
    let model = ScriptedModel::new([calls(&[("c1", "parallel", wrapped)]), says("done")]);
    let outcome = run(agent(&model, vec![write()]).journal(journal.clone())).await;
    assert_eq!(journal.recover().items, outcome.items);
    assert_eq!(journal.recover().completes, ["event_1"]);
    let entries = journal.entries();
    assert_eq!(words(&entries)[..3], ["began", "responded", "c1_0 started"]);
    let recovered = recovered_after(&entries, 3);
    assert_eq!(recovered.may_have_run.len(), 1);
}

/// Fails from a certain entry on.
#[derive(Clone)]
struct Full {
    room: Arc<Mutex<usize>>,
    taken: MemoryJournal,
}

impl Journal for Full {
    fn record<'a>(&'a self, entry: JournalEntry<'a>) -> BoxFuture<'a, Result<(), JournalError>> {
        let has_room = {
            let mut room = self.room.lock().unwrap();
            let has_room = *room > 0;
            *room = room.saturating_sub(1);
            has_room
        };
        if has_room {
            self.taken.record(entry)
        } else {
            Box::pin(async { Err(JournalError::new("the disk is full")) })
        }
    }
}

#[tokio::test]
async fn a_journal_that_fails_ends_the_turn_and_nothing_unrecorded_starts() {
    for room in 0..7 {
        let started = Arc::new(Mutex::new(0));
        let count = Arc::clone(&started);
        let write = writes("write", move |_, _| {
            *count.lock().unwrap() += 1;
            async { "written" }
        });
        let full = Full { room: Arc::new(Mutex::new(room)), taken: MemoryJournal::new() };
        let model =
            ScriptedModel::new([calls(&[("c1", "write", "{}"), ("c2", "write", "{}")]), says("done")]);
        let turn = agent(&model, vec![write]).journal(full.clone());
        let error = turn.run("go", &CancellationToken::new()).await.unwrap_err();
        assert_eq!(error.error.message, "the disk is full", "{room}");
        assert_eq!(complaints(&encode_input(&error.items)), Vec::<String>::new(), "{room}");
        let recorded = words(&full.taken.entries()).iter().filter(|word| word.ends_with("started")).count();
        assert_eq!(*started.lock().unwrap(), recorded, "{room}");
    }
}

#[tokio::test]
async fn a_file_holds_the_same_as_a_journal_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turn.jsonl");
    let (journal, recovered) = FileJournal::open(&path).unwrap();
    assert_eq!(recovered, Recovered::default());
    let model = ScriptedModel::new([calls(&[("c1", "write", "{\"a\":1,}")]), says("done")]);
    let outcome = run(agent(&model, vec![write()]).journal(journal)).await;
    let (_, recovered) = FileJournal::open(&path).unwrap();
    assert_eq!(recovered.items, outcome.items);
    assert_eq!(
        (recovered.ended.as_deref(), &recovered.completes[..]),
        (Some("finished"), &["event_1".to_owned()][..])
    );
}

#[tokio::test]
async fn a_file_cut_off_at_any_byte_is_read_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turn.jsonl");
    let (journal, _) = FileJournal::open(&path).unwrap();
    let model = ScriptedModel::new([calls(&[("c1", "write", "{}"), ("c2", "finish", "{}")])]);
    run(agent(&model, vec![write(), finish()]).journal(journal.sync(JournalSync::Never))).await;
    let whole = fs::read(&path).unwrap();
    let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let (journal, recovered) = FileJournal::open(&path).unwrap();
        assert_eq!(complaints(&encode_input(&recovered.items)), Vec::<String>::new());
        assert_eq!(lines(&fs::read(&path).unwrap()), lines(&whole[..length]));
        if length % 50 != 0 {
            continue;
        }
        // What is added stands behind the last whole line, and is read again.
        let model = ScriptedModel::new([says("hello")]);
        let mut items = recovered.items;
        items.push(tool_runtime::Item::user("go on"));
        let turn = agent(&model, Vec::new()).journal(journal.sync(JournalSync::Never));
        let outcome = turn.run(items, &CancellationToken::new()).await.unwrap();
        assert!(matches!(outcome.ending, Ending::Finished));
        assert_eq!(FileJournal::open(&path).unwrap().1.items, outcome.items);
    }
}

#[tokio::test]
async fn a_file_that_is_no_journal_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for text in ["my notes", "my notes\n", "{\"began\":{\"items\":[]}}\nmy notes\n", "{}\n"] {
        fs::write(&path, text).unwrap();
        let error = FileJournal::open(&path).unwrap_err();
        assert!(error.message.contains("is no entry") && error.message.contains("notes.txt"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    assert!(FileJournal::open(folder.path()).is_err());
    if cfg!(target_os = "linux") {
        let error = FileJournal::open("/dev/full").unwrap_err();
        assert_eq!(error.message, "the journal `/dev/full` is no regular file");
    }
}
