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
        Content::File(File { media_type, media: Media::Base64(data), .. })
            if media_type.starts_with("audio/") =>
        {
            ContentBlock::audio(data, media_type)
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

/// A block of the protocol as a part of an output. What only has an address is given as text: nothing is fetched because a
/// server names it.
pub(super) fn from_block(block: ContentBlock) -> Content {
    match block {
        ContentBlock::Text(text) => Content::Text(text.text),
        ContentBlock::Image(image) => Image::from_base64(image.mime_type, image.data).into(),
        ContentBlock::Audio(audio) => File::from_base64("audio", audio.mime_type, audio.data).into(),
        ContentBlock::Resource(embedded) => match embedded.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => {
                Content::Text(format!("{uri}:\n{text}"))
            }
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                let media_type = mime_type.unwrap_or_else(|| "application/octet-stream".to_owned());
                File::from_base64(file_name(&uri), media_type, blob).into()
            }
            _ => unknown_part(),
        },
        ContentBlock::ResourceLink(resource) => {
            let about = resource.description.map(|about| format!(": {about}")).unwrap_or_default();
            Content::Text(format!("[resource `{}` at {}{about}]", resource.name, resource.uri))
        }
        _ => unknown_part(),
    }
}

fn unknown_part() -> Content {
    Content::Text("[a part of a kind that this host does not know]".to_owned())
}

fn file_name(uri: &str) -> &str {
    uri.rsplit('/').find(|part| !part.is_empty()).unwrap_or(uri)
}
