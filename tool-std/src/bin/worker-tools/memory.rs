//! `worker-tools memory`: writes the memory that models read with `recall` and `get_page`, and looks at it.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::json;
use tool_std::memory::{
    Fact, IfThere, Keeping, KeptFact, KeptPage, MemoryError, MemoryStore as _, NewPage, PageFound,
    PageSummary, StateMemory,
};

use crate::attend::block_on;
use crate::failure::Failure;
use crate::memory_files::{self, Import};
use crate::paper;
use crate::screen::one_line;
use crate::turn_options::TurnOptions;

const EXAMPLES: &str = "Examples:
  worker-tools memory --state ~/.agent import docs
  worker-tools memory --state ~/.agent add 'Rotating keys' keys.md
  echo 'On the first of a month.' | worker-tools memory --state ~/.agent add 'Rotating keys'
  worker-tools memory --state ~/.agent fact 'Prefers short answers' --about Ann
  worker-tools memory --state ~/.agent list
  worker-tools call recall '{\"query\": \"keys\"}' --state ~/.agent
  DATABASE_URL=postgres://agent@db/agent worker-tools memory remove rotating-keys";

/// Write what models recall: pages and facts, and look at them
///
/// A page is named by its slug, which is made of its title or of the path of its file. Models read the memory with the tools
/// `recall` and `get_page` and cannot change it.
#[derive(Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct MemoryCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Keep a page
    Add {
        /// What it is titled
        title: String,
        /// File with its text [default: standard input]
        file: Option<PathBuf>,
        /// What it is called: letters and digits in lower case, `-`, and `/` between folders [default: made of the title]
        #[arg(long)]
        slug: Option<String>,
        /// Put it in the place of another page of that name
        #[arg(long)]
        replace: bool,
    },
    /// Keep a fact; prints its number
    Fact {
        /// What is so, in a sentence
        claim: String,
        /// Whom or what it is about
        #[arg(long, value_name = "NAME")]
        about: Option<String>,
    },
    /// Keep the text files of folders (.md, .markdown, .txt) and single files as pages
    ///
    /// A page is called by its path within the folder, and titled by the heading that it begins with. What is there already
    /// with the same text is left as it is, so an import that was broken off can be begun again. Hidden files are left out,
    /// links are not followed.
    Import(Import),
    /// List pages and facts
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the text of a page
    Show {
        /// Its slug or its title
        page: String,
    },
    /// Remove a page or a fact
    Remove {
        /// The slug of the page
        #[arg(required_unless_present = "fact")]
        page: Option<String>,
        /// The number of the fact
        #[arg(long, value_name = "NUMBER", conflicts_with = "page")]
        fact: Option<i64>,
    },
}

impl MemoryCommand {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let memory = turn.state.kept_memory()?;
        block_on(run(self.what, &memory))??;
        Ok(ExitCode::SUCCESS)
    }
}

async fn run(what: What, memory: &StateMemory) -> Result<(), Failure> {
    let mut out = io::stdout();
    match what {
        What::Add { title, file, slug, replace } => {
            let body = match &file {
                Some(file) => {
                    memory_files::read(file).map_err(|problem| Failure::about(file.display(), problem))?
                }
                None => standard_input()?,
            };
            let mut page = NewPage::new(title, body);
            if let Some(slug) = slug {
                page = page.slug(slug);
            }
            let kept = memory.add_page(&page, if_there(replace)).await.map_err(said)?;
            writeln!(out, "{}", told(&kept))?;
        }
        What::Fact { claim, about } => {
            let fact = Fact { claim, entity: about };
            writeln!(out, "{}", memory.add_fact(&fact).await.map_err(said)?)?;
        }
        What::Import(import) => import.run(memory, &mut out).await?,
        What::List { json } => {
            let pages = memory.pages().await.map_err(said)?;
            let facts = memory.facts().await.map_err(said)?;
            match json {
                true => paper::json(&mut out, &json!({ "pages": pages, "facts": facts }))?,
                false => tables(&mut out, &pages, &facts)?,
            }
        }
        What::Show { page } => show(&mut out, memory, &page).await?,
        What::Remove { page, fact } => {
            let (name, removed) = match (page, fact) {
                (Some(page), _) => {
                    let removed = memory.remove_page(&page).await.map_err(said)?;
                    (format!("page `{page}`"), removed)
                }
                (None, fact) => {
                    let id = fact.unwrap_or_default();
                    (format!("fact {id}"), memory.remove_fact(id).await.map_err(said)?)
                }
            };
            if !removed {
                return Err(format!("there is no {name}; `worker-tools memory list` has all").into());
            }
            writeln!(out, "removed")?;
        }
    }
    Ok(())
}

async fn show(out: &mut impl Write, memory: &StateMemory, reference: &str) -> Result<(), Failure> {
    match memory.page(reference).await.map_err(said)? {
        PageFound::Page(page) => {
            let end = if page.body.ends_with('\n') { "" } else { "\n" };
            Ok(write!(out, "{}{end}", paper::for_stdout(&page.body))?)
        }
        PageFound::Candidates(none) if none.is_empty() => {
            Err(format!("no page is called `{reference}`, or like it; `worker-tools memory list` has all")
                .into())
        }
        PageFound::Candidates(candidates) => {
            let names: Vec<_> = candidates.iter().map(|page| format!("`{}`", page.slug)).collect();
            Err(format!("no single page is called `{reference}`; it may be {}", names.join(", ")).into())
        }
    }
}

fn tables(out: &mut impl Write, pages: &[PageSummary], facts: &[KeptFact]) -> io::Result<()> {
    let page = |page: &PageSummary| vec![page.slug.clone(), page.bytes.to_string(), one_line(&page.title)];
    paper::table(out, &["page", "bytes", "title"], pages.iter().map(page))?;
    if !facts.is_empty() {
        writeln!(out)?;
        let fact = |kept: &KeptFact| {
            let about = kept.fact.entity.as_deref().unwrap_or_default();
            vec![kept.id.to_string(), one_line(about), one_line(&kept.fact.claim)]
        };
        paper::table(out, &["fact", "about", "claim"], facts.iter().map(fact))?;
    }
    Ok(())
}

fn standard_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    io::stdin().take(memory_files::MAX_READ).read_to_end(&mut bytes)?;
    memory_files::text(bytes).map_err(|problem| Failure::about("standard input", problem))
}

/// What came of a page.
fn told(kept: &KeptPage) -> String {
    let word = match kept.keeping {
        Keeping::Added => "added",
        Keeping::Replaced => "replaced",
        Keeping::Unchanged => "unchanged",
    };
    format!("{word}: {}", kept.slug)
}

pub(crate) fn if_there(replace: bool) -> IfThere {
    if replace { IfThere::Replace } else { IfThere::Refuse }
}

pub(crate) fn said(error: MemoryError) -> Failure {
    let way_out = match error.kind() {
        tool_std::memory::MemoryErrorKind::Exists => " (`--replace`, `--slug SLUG`)",
        _ => "",
    };
    format!("{error}{way_out}").into()
}
