//! One declaration file, checked: what is not known to be right is a mistake, and all mistakes are told with their place.

use serde_json::{Map, Value};

use super::{McpServer, McpTransport};
use crate::skills::yaml;

/// The most servers of one skill.
const MAX_ENTRIES: usize = 64;
const MAX_NAME: usize = 64;
const MAX_TEXT: usize = 1_024;
const MAX_TOOL: usize = 128;

const ANY: [&str; 6] = ["type", "value", "description", "transport", "enabled_tools", "disabled_tools"];
const HTTP: [&str; 3] = ["url", "protocol_version", "bearer_token_env_var"];
const STDIO: [&str; 1] = ["command"];

/// The one dated version of the protocol that can be asked for.
const DATED_VERSION: &str = "2026-07-28";

/// The servers of a declaration with their places. What is wrong goes to `problem` with its place.
pub(super) fn read(text: &str, problem: &mut impl FnMut(String, String)) -> Vec<(String, McpServer)> {
    let root = match yaml::read(text) {
        Ok(Value::Object(root)) => root,
        Ok(Value::Null) => return Vec::new(),
        Ok(_) => {
            problem(String::new(), "is no list of keys with values".to_owned());
            return Vec::new();
        }
        Err(reason) => {
            problem(String::new(), reason);
            return Vec::new();
        }
    };
    // Other keys of the file are for other readers.
    let dependencies = match root.get("dependencies") {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Object(dependencies)) => dependencies,
        Some(_) => {
            problem("dependencies".to_owned(), "is no list of keys with values".to_owned());
            return Vec::new();
        }
    };
    for key in dependencies.keys().filter(|key| *key != "tools") {
        problem(format!("dependencies.{key}"), "is unknown; only `tools` is read".to_owned());
    }
    let entries = match dependencies.get("tools") {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(entries)) if entries.len() <= MAX_ENTRIES => entries,
        Some(Value::Array(entries)) => {
            let reason = format!("has {} entries, and {MAX_ENTRIES} are the most", entries.len());
            problem("dependencies.tools".to_owned(), reason);
            return Vec::new();
        }
        Some(_) => {
            problem("dependencies.tools".to_owned(), "is no list".to_owned());
            return Vec::new();
        }
    };
    let mut servers = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let at = format!("dependencies.tools[{at}]");
        let Value::Object(map) = entry else {
            problem(at, "is no list of keys with values".to_owned());
            continue;
        };
        let mut entry = Entry { map, at, wrong: false, problem: &mut *problem };
        if let Some(server) = entry.server() {
            servers.push((entry.at, server));
        }
    }
    servers
}

struct Entry<'a, P> {
    map: &'a Map<String, Value>,
    at: String,
    wrong: bool,
    problem: &'a mut P,
}

impl<P: FnMut(String, String)> Entry<'_, P> {
    /// The server, if nothing is wrong with it.
    fn server(&mut self) -> Option<McpServer> {
        self.one_of("type", &["mcp"]);
        let transport = self.one_of("transport", &["streamable_http", "stdio"]);
        let name = self.required("value", MAX_NAME);
        if name.as_deref().is_some_and(|name| !is_plain(name)) {
            self.wrong("value", "may hold letters, digits, `_` and `-` only, since it is one part of `NAME.tool` in a command");
        }
        let description = self.optional("description", MAX_TEXT);
        let enabled_tools = self.tools("enabled_tools");
        let disabled_tools = self.tools("disabled_tools");
        let transport = match transport {
            Some("stdio") => {
                self.known_keys(&STDIO, &HTTP, "streamable_http");
                self.required("command", MAX_TEXT).map(|command| McpTransport::Stdio { command })
            }
            Some(_) => {
                self.known_keys(&HTTP, &STDIO, "stdio");
                self.http()
            }
            None => {
                self.known_keys(&[&HTTP[..], &STDIO].concat(), &[], "");
                None
            }
        };
        let (Some(name), Some(transport), false) = (name, transport, self.wrong) else { return None };
        Some(McpServer { name, description, transport, enabled_tools, disabled_tools })
    }

    fn http(&mut self) -> Option<McpTransport> {
        let url = self.required("url", MAX_TEXT);
        if let Some(reason) = url.as_deref().and_then(wrong_url) {
            self.wrong("url", reason);
        }
        let protocol_version = match self.map.get("protocol_version") {
            None => None,
            Some(_) => self.one_of("protocol_version", &["auto", "legacy", DATED_VERSION]),
        };
        let bearer_token_env_var = self.optional("bearer_token_env_var", MAX_TOOL);
        if bearer_token_env_var.as_deref().is_some_and(|name| !is_variable(name)) {
            // Not shown: it may be the token.
            self.wrong(
                "bearer_token_env_var",
                "is no name of an environment variable; the token itself must not stand here",
            );
        }
        // Left to the server is what happens without the field.
        let protocol_version = protocol_version.filter(|version| *version != "auto");
        url.map(|url| McpTransport::StreamableHttp { url, protocol_version, bearer_token_env_var })
    }

    fn known_keys(&mut self, own: &[&str], others: &[&str], other: &str) {
        let map = self.map;
        for key in map.keys().map(String::as_str).filter(|key| !ANY.contains(key) && !own.contains(key)) {
            if others.contains(&key) {
                self.wrong(key, &format!("belongs to the transport `{other}`"));
                continue;
            }
            let all: Vec<_> = ANY.iter().chain(own).map(|key| format!("`{key}`")).collect();
            let time =
                if key.contains("time") { "; the time of a call is set by its `--timeout`" } else { "" };
            self.wrong(key, &format!("is unknown{time}; what is known is {}", all.join(", ")));
        }
    }

    fn one_of(&mut self, key: &str, known: &[&'static str]) -> Option<&'static str> {
        let given = self.map.get(key);
        let found = given.and_then(Value::as_str).and_then(|given| known.iter().find(|word| **word == given));
        if found.is_none() {
            let known: Vec<_> = known.iter().map(|word| format!("`{word}`")).collect();
            let what = if given.is_some() { "is" } else { "is missing, and is" };
            self.wrong(key, &format!("{what} to be {}", known.join(" or ")));
        }
        found.copied()
    }

    fn required(&mut self, key: &str, max: usize) -> Option<String> {
        let map = self.map;
        let Some(value) = map.get(key) else {
            self.wrong(key, "is missing");
            return None;
        };
        self.text(key, value, max)
    }

    fn optional(&mut self, key: &str, max: usize) -> Option<String> {
        let map = self.map;
        map.get(key).and_then(|value| self.text(key, value, max))
    }

    fn text(&mut self, key: &str, value: &Value, max: usize) -> Option<String> {
        match text(value, max) {
            Ok(text) => Some(text),
            Err(reason) => {
                self.wrong(key, &reason);
                None
            }
        }
    }

    fn tools(&mut self, key: &str) -> Option<Vec<String>> {
        let map = self.map;
        let Value::Array(list) = map.get(key)? else {
            self.wrong(key, "is no list of names, as `[one, two]`");
            return None;
        };
        let mut tools = Vec::new();
        for (at, value) in list.iter().enumerate() {
            tools.extend(self.text(&format!("{key}[{at}]"), value, MAX_TOOL));
        }
        tools.sort();
        tools.dedup();
        Some(tools)
    }

    fn wrong(&mut self, key: &str, reason: &str) {
        self.wrong = true;
        (self.problem)(format!("{}.{key}", self.at), reason.to_owned());
    }
}

/// A text that stands in the configuration as it is: `mcporter` fills in `${NAME}` in all of them.
fn text(value: &Value, max: usize) -> Result<String, String> {
    let Value::String(text) = value else { return Err("is no text; put it in quotes".to_owned()) };
    let text = text.trim();
    let length = text.chars().count();
    if length == 0 {
        Err("is blank".to_owned())
    } else if length > max {
        Err(format!("has {length} characters, and {max} are the most"))
    } else if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        Err("holds a control character".to_owned())
    } else if text.contains("${") || text.starts_with("$env:") {
        Err("holds a placeholder that `mcporter` would fill in before anyone else reads it; in a command write `$NAME`".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

/// What is wrong with an address.
fn wrong_url(url: &str) -> Option<&'static str> {
    let Some(rest) = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")) else {
        return Some("does not begin with `https://` or `http://`");
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or("");
    if url.contains(char::is_whitespace) {
        Some("holds white space")
    } else if host.contains('@') {
        Some("holds a user or password; name a variable in `bearer_token_env_var` instead")
    } else if host.is_empty() || host.starts_with(':') {
        Some("names no host")
    } else {
        None
    }
}

fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

fn is_variable(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
