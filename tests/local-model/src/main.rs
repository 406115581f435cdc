//! `local-model MODEL.gguf [ADDRESS]`: the server, until Ctrl-C.

use std::path::Path;
use std::process::ExitCode;

use local_model::Error;
use local_model::generate::Engine;
use local_model::server::serve;
use tokio::net::TcpListener;

/// On this machine only: the server has no key.
const ADDRESS: &str = "127.0.0.1:8080";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (model, address) = match arguments.as_slice() {
        [model] => (model, ADDRESS),
        [model, address] => (model, address.as_str()),
        _ => {
            eprintln!("local-model MODEL.gguf [ADDRESS]; without an address it is {ADDRESS}");
            return ExitCode::from(2);
        }
    };
    match run(Path::new(model), address).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("local-model: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(model: &Path, address: &str) -> Result<(), Error> {
    let listener = TcpListener::bind(address).await;
    let listener =
        listener.map_err(|error| format!("the address `{address}` cannot be listened on: {error}"))?;
    let engine = Engine::load(model)?;
    println!("listening on http://{}/v1", listener.local_addr()?);
    tokio::select! {
        served = serve(listener, engine) => Ok(served?),
        pressed = tokio::signal::ctrl_c() => Ok(pressed?),
    }
}
