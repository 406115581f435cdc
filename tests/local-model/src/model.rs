//! The network: tokens in, how likely each next one is out.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;

use candle_core::quantized::gguf_file::{self, Content};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};
use candle_transformers::models::quantized_llama::{MAX_SEQ_LEN, ModelWeights};
use toktrie::TokenId;

use crate::Error;
use crate::vocabulary::Vocabulary;

/// How many tokens are read at once, so that somebody who leaves is noticed.
const STEP: usize = 128;

/// How many tokens of texts that were read are kept, since the next request mostly begins like one before. About 45 KiB
/// each.
const KEPT_TOKENS: usize = 12_288;

/// A network, and the beginnings of texts that it has read.
pub struct Network {
    unread: ModelWeights,
    kept: Vec<Reading>,
    context: usize,
}

/// A text as far as it was read.
#[derive(Clone)]
pub struct Reading {
    tokens: Vec<TokenId>,
    state: ModelWeights,
    next: Vec<f32>,
}

/// Reads the model in a GGUF file of the kind `llama`.
///
/// # Errors
///
/// When the file cannot be read, or holds another kind of model.
pub fn load(path: &Path) -> Result<(Network, Vocabulary), Error> {
    read(path).map_err(|error| format!("the model `{}` cannot be used: {error}", path.display()).into())
}

fn read(path: &Path) -> Result<(Network, Vocabulary), Error> {
    let mut file = BufReader::new(File::open(path)?);
    let content = Content::read(&mut file)?;
    let vocabulary = Vocabulary::read(&content)?;
    let limit = content.metadata.get("llama.context_length").map(|limit| limit.to_u32()).transpose()?;
    let context = limit.map_or(Ok(MAX_SEQ_LEN), usize::try_from)?.min(MAX_SEQ_LEN);
    let mut fast = Cursor::new(in_eight_bits(&content, &mut file)?);
    let unread = ModelWeights::from_gguf(Content::read(&mut fast)?, &mut fast, &Device::Cpu)?;
    Ok((Network { unread, kept: Vec::new(), context }, vocabulary))
}

/// The same model with its weights of four bits in eight: these are multiplied five times as fast here.
fn in_eight_bits(content: &Content, file: &mut (impl Read + Seek)) -> Result<Vec<u8>, Error> {
    let mut tensors = Vec::with_capacity(content.tensor_infos.len());
    for name in content.tensor_infos.keys() {
        let tensor = content.tensor(file, name, &Device::Cpu)?;
        let tensor = match tensor.dtype() {
            GgmlDType::Q4_0 | GgmlDType::Q4_1 => {
                QTensor::quantize(&tensor.dequantize(&Device::Cpu)?, GgmlDType::Q8_0)?
            }
            _ => tensor,
        };
        tensors.push((name.as_str(), tensor));
    }
    let is_of_network = |name: &str| name.starts_with("llama.") || name == "general.architecture";
    let metadata = content.metadata.iter().map(|(name, value)| (name.as_str(), value));
    let metadata: Vec<_> = metadata.filter(|(name, _)| is_of_network(name)).collect();
    let tensors: Vec<_> = tensors.iter().map(|(name, tensor)| (*name, tensor)).collect();
    let mut bytes = Cursor::new(Vec::new());
    gguf_file::write(&mut bytes, &metadata, &tensors)?;
    Ok(bytes.into_inner())
}

impl Network {
    /// How many tokens a text may have, prompt and answer together.
    #[must_use]
    pub fn context(&self) -> usize {
        self.context
    }

    /// Reads a prompt, from where it goes on after one that was read before. What is read up to each of `marks` is kept for
    /// later. Gives `None` once `is_wanted` says no.
    ///
    /// # Errors
    ///
    /// When the prompt is empty or longer than the context, or the network fails.
    pub fn read(
        &mut self,
        prompt: &[TokenId],
        marks: &[usize],
        is_wanted: impl Fn() -> bool,
    ) -> Result<Option<Prompted>, Error> {
        if prompt.is_empty() || prompt.len() > self.context {
            return Err(format!("a prompt of {} tokens cannot be read", prompt.len()).into());
        }
        let known = self.kept.iter().enumerate().filter(|(_, kept)| prompt.starts_with(&kept.tokens));
        let known = known.max_by_key(|(_, kept)| kept.tokens.len()).map(|(position, _)| position);
        let mut reading = match known {
            Some(position) => {
                // What was of use last goes last.
                let reading = self.kept.remove(position);
                self.kept.push(reading.clone());
                reading
            }
            None => Reading { tokens: Vec::new(), state: self.unread.clone(), next: Vec::new() },
        };
        let known = reading.tokens.len();
        while reading.tokens.len() < prompt.len() {
            if !is_wanted() {
                return Ok(None);
            }
            let from = reading.tokens.len();
            let stops = marks.iter().copied().chain([from + STEP, prompt.len()]);
            let to = stops.filter(|stop| *stop > from).min().unwrap_or(prompt.len()).min(prompt.len());
            reading.add(&prompt[from..to])?;
            if marks.contains(&to) {
                self.keep(reading.clone());
            }
        }
        Ok(Some(Prompted { reading, known }))
    }

    fn keep(&mut self, reading: Reading) {
        self.kept.push(reading);
        let mut tokens: usize = self.kept.iter().map(|kept| kept.tokens.len()).sum();
        while tokens > KEPT_TOKENS {
            tokens -= self.kept.remove(0).tokens.len();
        }
    }
}

/// A prompt that was read.
pub struct Prompted {
    /// The text, to go on from.
    pub reading: Reading,
    /// How many of its tokens were known from an earlier one.
    pub known: usize,
}

impl Reading {
    /// Goes on with these tokens.
    ///
    /// # Errors
    ///
    /// When the network fails.
    pub fn add(&mut self, tokens: &[TokenId]) -> Result<(), Error> {
        let input = Tensor::new(tokens, &Device::Cpu)?.unsqueeze(0)?;
        let next = self.state.forward(&input, self.tokens.len())?.squeeze(0)?;
        self.next = next.to_vec1()?;
        self.tokens.extend_from_slice(tokens);
        Ok(())
    }

    /// The likeliest next token of those that may come; `None` if none may.
    pub fn likeliest(&self, may_come: impl Fn(TokenId) -> bool) -> Option<TokenId> {
        let next = self.next.iter().zip(0..).filter(|(_, token)| may_come(*token));
        next.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, token)| token)
    }

    /// How many tokens were read.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether nothing was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }
}
