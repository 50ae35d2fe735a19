//! Tools that show each kind of content.

use rmcp::model::{ContentBlock, ResourceContents};

use super::{Fixture, at_once, blocks, failure, text};
use crate::mcp::conformance::samples;

pub(super) const TOOLS: &[Fixture] = &[
    Fixture::without_arguments("test_simple_text", "Answers with text.", |_| {
        at_once(text("This is a simple text response for testing."))
    }),
    Fixture::without_arguments("test_image_content", "Answers with an image.", |_| at_once(blocks([image()]))),
    Fixture::without_arguments("test_audio_content", "Answers with a sound.", |_| {
        at_once(blocks([ContentBlock::audio(samples::WAV, "audio/wav")]))
    }),
    Fixture::without_arguments("test_embedded_resource", "Answers with an embedded resource.", |_| {
        let resource = ResourceContents::text("This is an embedded resource content.", "test://embedded-resource");
        at_once(blocks([ContentBlock::resource(resource.with_mime_type("text/plain"))]))
    }),
    Fixture::without_arguments("test_multiple_content_types", "Answers with text, an image and a resource.", |_| {
        let resource = ResourceContents::text(r#"{"test":"data","value":123}"#, "test://mixed-content-resource");
        let resource = ContentBlock::resource(resource.with_mime_type("application/json"));
        at_once(blocks([ContentBlock::text("Multiple content types test:"), image(), resource]))
    }),
    Fixture::without_arguments("test_error_handling", "Fails.", |_| {
        at_once(failure("This tool intentionally returns an error for testing"))
    }),
];

fn image() -> ContentBlock {
    ContentBlock::image(samples::PNG, "image/png")
}
