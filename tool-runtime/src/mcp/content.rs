//! The parts of an output as content blocks.

use rmcp::model::{ContentBlock, ResourceContents};

use crate::output::{Content, File, Image, Media};

/// A part of our output as a block of the protocol.
pub(super) fn to_block(part: Content) -> ContentBlock {
    match part {
        Content::Text(text) => ContentBlock::text(text),
        Content::Image(Image { media_type, media: Media::Base64(data) }) => {
            ContentBlock::image(data, media_type)
        }
        Content::Image(Image { media_type, media: Media::Url(url) }) => {
            link(url, "image".to_owned(), media_type)
        }
        Content::File(File { name, media_type, media: Media::Base64(data) }) => {
            let address = format!("file:///{}", name.trim_start_matches('/'));
            ContentBlock::resource(ResourceContents::blob(data, address).with_mime_type(media_type))
        }
        Content::File(File { name, media_type, media: Media::Url(url) }) => link(url, name, media_type),
    }
}

fn link(url: String, name: String, media_type: String) -> ContentBlock {
    ContentBlock::resource_link(rmcp::model::Resource::new(url, name).with_mime_type(media_type))
}
