//! What the command line says about the web.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use tool_runtime::http::ApiKey;
use tool_std::web::{BraveSearch, HttpFetch, Schemes, SearxngSearch, TavilySearch, Web};

use crate::failure::Failure;

/// Of these one is needed for searches.
pub(crate) const SEARCH_OPTIONS: &str =
    "--searxng URL or --brave-key-variable NAME or --tavily-key-variable NAME";

/// Who searches, and what is fetched.
#[derive(Args, Clone)]
#[command(next_help_heading = "The web")]
pub(crate) struct WebOptions {
    /// Search by the instance of SearXNG at this address
    #[arg(long, global = true, value_name = "URL")]
    searxng: Option<String>,

    /// Search by Brave Search, with the key in this environment variable
    #[arg(long, global = true, value_name = "NAME")]
    brave_key_variable: Option<String>,

    /// Search by Tavily, with the key in this environment variable
    #[arg(long, global = true, value_name = "NAME")]
    tavily_key_variable: Option<String>,

    /// Address of the search provider in place of its own, for Brave Search and Tavily
    #[arg(long, global = true, value_name = "URL")]
    search_url: Option<String>,

    /// Fetch pages with `http` too
    #[arg(long, global = true)]
    web_http: bool,

    /// Address that is fetched from although it is not public; may be given again
    #[arg(long, global = true, value_name = "IP")]
    web_reach: Vec<IpAddr>,

    /// File with certificate authorities (PEM) to trust beside those of the system; may be given again
    #[arg(long, global = true, value_name = "FILE")]
    web_trust: Vec<PathBuf>,

    /// Fetch only what the `robots.txt` of a site allows
    #[arg(long, global = true)]
    web_robots: bool,

    /// Do without the web
    #[arg(long, global = true)]
    no_web: bool,
}

impl WebOptions {
    /// The web of the turn, if it has it.
    ///
    /// # Errors
    ///
    /// When a key is not there, or an address is none.
    pub(crate) fn web(&self) -> Result<Option<Web>, Failure> {
        if self.no_web {
            return Ok(None);
        }
        let mut fetch = HttpFetch::builder();
        if self.web_http {
            fetch = fetch.schemes(Schemes::HttpAndHttps);
        }
        for address in &self.web_reach {
            fetch = fetch.reach(*address);
        }
        for file in &self.web_trust {
            let pem = std::fs::read(file).map_err(|error| format!("`{}`: {error}", file.display()))?;
            fetch = fetch.trust(pem);
        }
        if self.web_robots {
            fetch = fetch.honour_robots();
        }
        let web = Web::new().fetch(fetch.build().map_err(|error| error.to_string())?);
        self.searching(web).map(Some)
    }

    fn searching(&self, web: Web) -> Result<Web, Failure> {
        let key =
            |variable: &str| ApiKey::from_env(variable).map_err(|error| Failure::from(error.to_string()));
        let failed = |error: tool_std::web::SearchError| Failure::from(error.to_string());
        let elsewhere = self.search_url.as_deref();
        let chosen = [&self.searxng, &self.brave_key_variable, &self.tavily_key_variable];
        if chosen.iter().filter(|option| option.is_some()).count() > 1 {
            return Err("a turn has one search provider; give one of its options".to_owned().into());
        }
        if let Some(url) = &self.searxng {
            return Ok(web.search(SearxngSearch::new(url).map_err(failed)?));
        }
        if let Some(variable) = &self.brave_key_variable {
            let key = key(variable)?;
            let brave = elsewhere
                .map_or_else(|| BraveSearch::new(key.clone()), |url| BraveSearch::at(url, key.clone()));
            return Ok(web.search(brave.map_err(failed)?));
        }
        if let Some(variable) = &self.tavily_key_variable {
            let key = key(variable)?;
            let tavily = elsewhere
                .map_or_else(|| TavilySearch::new(key.clone()), |url| TavilySearch::at(url, key.clone()));
            return Ok(web.search(tavily.map_err(failed)?));
        }
        Ok(web)
    }
}
