//! The MCP servers of skills. The model sees no tool of theirs: the instructions of a skill say which tool of which server to
//! call, and the model calls it with the program `mcporter` in a command. The skill declares its servers in
//! `agents/openai.yaml`; here the declarations are checked and written for `mcporter`. Nothing is connected or started.

mod config;
mod declared;

pub use config::McpConfig;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use super::files::{self, Unreadable};
use super::skill::Skill;
use super::turn::Skills;

/// The file that declares, in the folder of a skill.
const DECLARATION: &str = "agents/openai.yaml";
/// The most that it may hold, in bytes.
const MAX_DECLARATION: u64 = 64 * 1024;
/// The most skills that are asked for one execution.
const MAX_SKILLS: usize = 128;
/// The most servers of one execution.
const MAX_SERVERS: usize = 32;

/// A server that skills declare.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpServer {
    /// What it is called in `mcporter call NAME.tool`.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// How it is reached.
    pub transport: McpTransport,
    /// The only tools that may be called, sorted.
    pub enabled_tools: Option<Vec<String>>,
    /// Tools that may not be called, sorted; they win over the enabled ones.
    pub disabled_tools: Option<Vec<String>>,
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum McpTransport {
    /// Over HTTP.
    StreamableHttp {
        /// The address, `http` or `https`.
        url: String,
        /// The version of the protocol; `None` to agree on one.
        protocol_version: Option<&'static str>,
        /// The variable that holds the bearer token. The token itself is never read here.
        bearer_token_env_var: Option<String>,
    },
    /// Over the standard input and output of a program.
    Stdio {
        /// What `/bin/sh -lc` runs.
        command: String,
    },
}

/// A mistake in what a skill declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpProblem {
    /// The file.
    pub file: PathBuf,
    /// The place in it, as `dependencies.tools[0].url`; empty for the whole.
    pub place: String,
    /// What is wrong, and what to do.
    pub reason: String,
}

impl fmt::Display for McpProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => write!(f, "`{}` {}", self.file.display(), self.reason),
            place => write!(f, "`{}` at `{place}`: {}", self.file.display(), self.reason),
        }
    }
}

/// Why the servers of the skills cannot be used: every mistake of every file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct McpError {
    problems: Vec<McpProblem>,
}

impl McpError {
    /// The mistakes, by skill.
    #[must_use]
    pub fn problems(&self) -> &[McpProblem] {
        &self.problems
    }
}

impl fmt::Display for McpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the MCP servers that the skills declare cannot be used:")?;
        self.problems.iter().try_for_each(|problem| write!(f, "\n- {problem}"))
    }
}

impl std::error::Error for McpError {}

impl Skills {
    /// The servers that the skills of this turn declare, by name. Reads their files; connects to nothing. Blocks.
    ///
    /// A main turn has those of the enabled skills for any and for main turns, a job those for any and for jobs, and an
    /// automation all. Skills may declare one server together if they say the same of it.
    ///
    /// # Errors
    ///
    /// Every mistake in the declarations.
    pub fn mcp_servers(&self) -> Result<Vec<McpServer>, McpError> {
        let skills: Vec<_> = self.enabled_skills().filter(|skill| skill.is_used_by(self.turn())).collect();
        let mut problems = Vec::new();
        let mut servers: BTreeMap<String, (McpServer, &Skill)> = BTreeMap::new();
        for (at, skill) in skills.iter().enumerate() {
            let file = skill.directory().join(DECLARATION);
            let mut problem = |place: String, reason: String| {
                problems.push(McpProblem { file: file.clone(), place, reason });
            };
            if at >= MAX_SKILLS {
                problem(
                    String::new(),
                    format!("is not read: {MAX_SKILLS} enabled skills are the most; disable some"),
                );
                break;
            }
            let Some(text) = read(skill, &mut problem) else { continue };
            for (place, server) in declared::read(&text, &mut problem) {
                match servers.get(&server.name) {
                    Some((known, _)) if *known == server => {}
                    Some((_, other)) => problem(place, differs(&server, skill, other)),
                    None if servers.len() == MAX_SERVERS => {
                        problem(
                            place,
                            format!("is one server too many: {MAX_SERVERS} are the most of one turn"),
                        );
                    }
                    None => {
                        servers.insert(server.name.clone(), (server, skill));
                    }
                }
            }
        }
        if problems.is_empty() {
            Ok(servers.into_values().map(|(server, _)| server).collect())
        } else {
            Err(McpError { problems })
        }
    }
}

/// What a skill declares, if it does.
fn read(skill: &Skill, problem: &mut impl FnMut(String, String)) -> Option<String> {
    match files::read(&skill.root, skill.directory(), DECLARATION, MAX_DECLARATION) {
        Ok(text) => Some(text),
        Err(Unreadable::Missing) => None,
        Err(error) => {
            problem(String::new(), error.reason());
            None
        }
    }
}

fn differs(server: &McpServer, skill: &Skill, other: &Skill) -> String {
    let name = &server.name;
    if skill.name() == other.name() {
        return format!("`{name}` is declared twice and not alike; declare it once");
    }
    format!(
        "`{name}` is not declared as in the skill `{}`; skills may share a server only if all they say of it is the same",
        other.name()
    )
}
