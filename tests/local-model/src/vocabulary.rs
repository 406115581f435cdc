//! Text to tokens and back, by what stands in the file of the model.

use std::sync::Arc;

use candle_core::quantized::gguf_file::{Content, Value};
use candle_core::quantized::tokenizer::TokenizerFromGguf;
use tokenizers::Tokenizer;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use toktrie::{TokEnv, TokRxInfo, TokTrie, TokenId, TokenizerEnv};

use crate::Error;

/// The kind of a token that is a piece of text; all others mean something.
const NORMAL: u64 = 1;

/// The tokens of a model.
#[derive(Clone)]
pub struct Vocabulary {
    environment: Arc<Environment>,
    /// Begins a message.
    begin: TokenId,
    /// Ends a message.
    end: TokenId,
}

/// What a grammar needs to know of the tokens.
struct Environment {
    trie: TokTrie,
    tokenizer: Tokenizer,
}

impl Vocabulary {
    /// The tokens of the model in a GGUF file.
    ///
    /// # Errors
    ///
    /// When they are of another kind than byte pairs, or the model writes no messages between `<|im_start|>` and
    /// `<|im_end|>`.
    pub fn read(content: &Content) -> Result<Self, Error> {
        let mut tokenizer = Tokenizer::from_gguf(content)?;
        // Written by a user or a tool, `<|im_end|>` is text and ends nothing.
        tokenizer.set_encode_special_tokens(true);
        let field =
            |name: &str| content.metadata.get(name).ok_or_else(|| format!("the model file lacks `{name}`"));
        if field("tokenizer.ggml.pre")?.to_string()? == "smollm" {
            // This kind is not known to the reader of the file, which would put a space before everything.
            let digits = Digits::new(true).into();
            let bytes = ByteLevel::new(false, true, true).into();
            tokenizer.with_pre_tokenizer(Some(Sequence::new(vec![digits, bytes])));
        }

        let texts = field("tokenizer.ggml.tokens")?.to_vec()?;
        let kinds = field("tokenizer.ggml.token_type")?.to_vec()?;
        let bytes = texts.iter().zip(kinds).map(|(text, kind)| bytes_of(text, kind));
        let bytes = bytes.collect::<Result<Vec<_>, _>>()?;
        let named = |name: &str| {
            let position = texts.iter().position(|text| text.to_string().is_ok_and(|text| text == name));
            let position = position.and_then(|position| TokenId::try_from(position).ok());
            position.ok_or_else(|| {
                format!("the model has no token `{name}`, and prompts are written for models that have")
            })
        };
        let (begin, end) = (named("<|im_start|>")?, named("<|im_end|>")?);
        let trie = TokTrie::from(&TokRxInfo::new(TokenId::try_from(bytes.len())?, end), &bytes);
        Ok(Self { environment: Arc::new(Environment { trie, tokenizer }), begin, end })
    }

    /// A text as tokens, none of which begins or ends a message.
    ///
    /// # Errors
    ///
    /// When the tokenizer fails.
    pub fn tokens(&self, text: &str) -> Result<Vec<TokenId>, Error> {
        Ok(self.environment.tokenizer.encode_fast(text, false)?.get_ids().to_vec())
    }

    /// What begins a message.
    #[must_use]
    pub fn begin(&self) -> TokenId {
        self.begin
    }

    /// What ends a message.
    #[must_use]
    pub fn end(&self) -> TokenId {
        self.end
    }

    /// Whether it is a piece of text.
    #[must_use]
    pub fn is_text(&self, token: TokenId) -> bool {
        !self.environment.trie.is_special_token(token)
    }

    /// The bytes of a piece of text. They may end within a character.
    #[must_use]
    pub fn bytes(&self, token: TokenId) -> &[u8] {
        self.environment.trie.token(token)
    }

    /// The tokens as grammars see them.
    #[must_use]
    pub fn environment(&self) -> TokEnv {
        Arc::clone(&self.environment) as TokEnv
    }
}

impl TokenizerEnv for Environment {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<TokenId> {
        self.trie.tokenize_with_greedy_fallback(bytes, |text| match self.tokenizer.encode_fast(text, false) {
            Ok(encoding) => encoding.get_ids().to_vec(),
            Err(_) => self.trie.greedy_tokenize(text.as_bytes()),
        })
    }
}

/// The bytes of a token. One that means something is marked, so that no text is taken for it.
fn bytes_of(text: &Value, kind: &Value) -> Result<Vec<u8>, Error> {
    let text = text.to_string()?;
    let kind = kind.to_u32().map(u64::from).or_else(|_| Ok::<_, Error>(u64::try_from(kind.to_i32()?)?))?;
    if kind != NORMAL {
        return Ok([&[TokTrie::SPECIAL_TOKEN_MARKER], text.as_bytes()].concat());
    }
    let bytes = text.chars().map(byte_of).collect::<Option<Vec<_>>>();
    bytes.ok_or_else(|| format!("the token `{text}` is not spelled in the alphabet of bytes").into())
}

/// The byte that a letter of the alphabet stands for: visible characters for themselves, the others, in their order, for
/// the bytes that are none.
fn byte_of(letter: char) -> Option<u8> {
    let is_visible = |code: u32| matches!(code, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF);
    let code = u32::from(letter);
    if is_visible(code) {
        return u8::try_from(code).ok();
    }
    let place = usize::try_from(code.checked_sub(0x100)?).ok()?;
    (0..=u8::MAX).filter(|byte| !is_visible(u32::from(*byte))).nth(place)
}
