//! How much of long pages is shown, and where the rest is.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::loopback::Server;
use tool_runtime::testing::{self, TestCall};
use tool_std::computer::{Computer, read_file};
use tool_std::web::Web;

use super::{fetch, good, page, text, web};

/// A text of so many numbered lines of 20 characters, line feed included.
fn lines(count: usize) -> String {
    (1..=count).map(|number| format!("this is line {number:06}\n")).collect()
}

/// A server with a page of so many lines at `/LINES`.
async fn server() -> Server {
    Server::start(|request| good("text/plain", lines(request.target[1..].parse().unwrap()))).await
}

fn computer() -> (TempDir, Computer) {
    let folder = tempfile::tempdir().unwrap();
    let computer = Computer::new(folder.path()).unwrap();
    (folder, computer)
}

async fn long(web: &Web) -> TestCall {
    fetch(web, &["http://site.test/10000"]).await
}

#[tokio::test]
async fn a_page_that_fits_is_whole() {
    let server = server().await;
    let (folder, computer) = computer();
    let call = fetch(&web(&server).saving_to(Some(&computer)), &["http://site.test/2000"]).await;
    assert_eq!(text(&call) + "\n", lines(2_000));
    let page = page(&call);
    assert_eq!((&page["text_chars"], &page["truncated"]), (&json!(40_000), &json!(false)));
    assert_eq!(
        (&page["shown_chars"], &page["stored_path"], &page["stored"]),
        (&json!(null), &json!(null), &json!(null))
    );
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "nothing is saved");
}

#[tokio::test]
async fn of_a_long_page_beginning_and_end_are_shown_and_the_call_named_reads_on() {
    let server = server().await;
    let (folder, computer) = computer();
    let call = long(&web(&server).saving_to(Some(&computer))).await;
    let shown = text(&call);
    let (begin, rest) = shown.split_once("\n[… ").unwrap();
    let (_, end) = rest.split_once(" characters left out here …]\n").unwrap();
    assert_eq!(begin, lines(1_400), "70 % of 40,000 characters");
    assert!(end.ends_with("this is line 010000") && end.starts_with("this is line 009"), "{}", &end[..40]);
    let page = page(&call);
    let path = page["stored_path"].as_str().unwrap();
    assert!(path.starts_with("temp/web-fetch/site.test-") && path.ends_with(".md"), "{path}");
    assert_eq!(page["truncated"], true);
    let chars = page["shown_chars"].as_u64().unwrap();
    assert!(rest.starts_with(&format!("{} characters", commas(200_000 - chars))), "{}", &rest[..40]);
    assert_eq!(chars, 40_000, "the cuts are at ends of lines");

    let note = call.text().lines().find(|line| line.starts_with("Note: ")).unwrap().to_owned();
    let expected = format!(
        "Note: the page has 200,000 characters, of which {} are shown: its beginning and its end. All of it is in `{path}`; what is left out begins with `read_file` ",
        commas(chars)
    );
    let arguments: Value =
        serde_json::from_str(note.strip_prefix(&expected).unwrap_or_else(|| panic!("{note}"))).unwrap();
    let read = testing::call(&read_file(computer), arguments).await.text();
    let first = read.lines().next().unwrap();
    assert!(first.ends_with("|this is line 001401"), "{first}");
    assert_eq!(read.lines().count(), 201, "200 lines and the row below them");
    let file = fs::read_to_string(folder.path().join(path)).unwrap();
    assert!(file.starts_with("URL: http://site.test/10000\nThis is text from the web. "), "{}", &file[..100]);
    assert!(file.ends_with(&lines(10_000)));
}

fn commas(number: u64) -> String {
    format!("{},{:03}", number / 1_000, number % 1_000)
}

#[tokio::test]
async fn a_line_without_an_end_is_cut_and_found_again() {
    let items: String = (0..10_000).map(|number| format!("\"text {number:05}\", ")).collect();
    let whole = format!("[{items}0]");
    let sent = whole.clone();
    let server = Server::start(move |_| good("application/json", &sent)).await;
    let (_folder, computer) = computer();
    let call = long(&web(&server).saving_to(Some(&computer))).await;
    let shown = text(&call);
    let (begin, _) = shown.split_once("\n[… ").unwrap();
    assert_eq!(begin, &whole[..28_000]);
    let told = call.text();
    let (_, arguments) = told.split_once("`read_file` ").unwrap();
    let arguments: Value = serde_json::from_str(arguments.lines().next().unwrap()).unwrap();
    let read = testing::call(&read_file(computer), arguments).await.text();
    let (_, first) = read.lines().next().unwrap().split_once('|').unwrap();
    assert!(first.len() <= 1_500, "{}", first.len());
    let at = whole.find(first).unwrap();
    assert!((at..=at + first.len()).contains(&28_000), "the cut lies in the line from {at} on");
}

#[tokio::test]
async fn five_pages_share_the_room() {
    let server = server().await;
    let (_folder, computer) = computer();
    let urls = [5_000, 10, 3_000, 100, 4_000].map(|lines| format!("http://site.test/{lines}"));
    let call = fetch(&web(&server).saving_to(Some(&computer)), &urls.each_ref().map(String::as_str)).await;
    let details: Value = call.details().unwrap();
    let pages = details["results"].as_array().unwrap();
    let shown: Vec<u64> = pages
        .iter()
        .map(|page| page["shown_chars"].as_u64().unwrap_or_else(|| page["text_chars"].as_u64().unwrap()))
        .collect();
    assert_eq!((shown[1], shown[3]), (200, 2_000), "small ones are whole");
    let share = (40_000 - 2_200) / 3;
    for large in [shown[0], shown[2], shown[4]] {
        assert!((share - 100..=share).contains(&large), "{shown:?}");
    }
    assert_eq!(call.activity.as_deref(), Some("Fetching 5 pages"));
    let order: Vec<_> = pages.iter().map(|page| page["url"].as_str().unwrap()).collect();
    assert_eq!(order, urls);
}

#[tokio::test]
async fn without_a_computer_the_rest_is_lost_and_that_is_said() {
    let server = server().await;
    let call = long(&web(&server)).await;
    assert_eq!((&page(&call)["stored"], &page(&call)["stored_path"]), (&json!(false), &json!(null)));
    assert!(
        call.text().contains(". The rest could not be saved: the turn has no computer\n"),
        "{}",
        call.text()
    );
}

#[tokio::test]
async fn a_workspace_that_cannot_be_written_costs_the_file_and_not_the_page() {
    let server = server().await;
    for spoil in [(|folder| fs::write(folder, "a file").unwrap()) as fn(&std::path::Path), |folder| {
        symlink("/etc", folder).unwrap()
    }] {
        let (folder, computer) = computer();
        spoil(&folder.path().join("temp"));
        let call = long(&web(&server).saving_to(Some(&computer))).await;
        assert_eq!(page(&call)["stored"], false);
        assert!(call.text().contains(". The rest could not be saved: "), "{}", call.text());
        assert!(text(&call).starts_with("this is line 000001"));
    }
}

#[tokio::test]
async fn a_page_fetched_again_takes_the_place_of_its_file() {
    let server = server().await;
    let (folder, computer) = computer();
    let web = web(&server).saving_to(Some(&computer));
    let first = page(&long(&web).await)["stored_path"].clone();
    let again = page(&long(&web.for_another_conversation()).await)["stored_path"].clone();
    assert_eq!(first, again);
    let files: Vec<_> = fs::read_dir(folder.path().join("temp/web-fetch")).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
}
