//! Where the model is, what it is called and how one is let in; checked once.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;
use reqwest::header::HeaderValue;

use crate::error::EndpointError;

/// The last part of the address that requests for completions and for embeddings go to.
const COMPLETIONS: &[&str] = &["chat", "completions"];
const EMBEDDINGS: &[&str] = &["embeddings"];

/// What stands where the key stood.
const HIDDEN: &str = "[key]";

/// A model that can be asked.
#[derive(Clone)]
pub struct Endpoint {
    address: Url,
    model: String,
    key: Option<Key>,
}

#[derive(Clone)]
struct Key {
    text: String,
    header: HeaderValue,
}

impl Endpoint {
    /// `base` is the part of the address before `/chat/completions`. A key goes unencrypted to this machine only.
    pub fn new(base: &str, model: &str, key: Option<&str>) -> Result<Self, EndpointError> {
        Self::at(base, COMPLETIONS, model, key)
    }

    /// The same for a model that makes vectors of texts, before `/embeddings`.
    pub fn for_embeddings(base: &str, model: &str, key: Option<&str>) -> Result<Self, EndpointError> {
        Self::at(base, EMBEDDINGS, model, key)
    }

    fn at(base: &str, path: &[&str], model: &str, key: Option<&str>) -> Result<Self, EndpointError> {
        let address = address(base, path)?;
        let model = model.trim();
        if model.is_empty() {
            return Err(EndpointError::NoModel);
        }
        let key = key.map(str::trim).filter(|key| !key.is_empty()).map(Key::new).transpose()?;
        if key.is_some() && address.scheme() == "http" && !is_this_machine(&address) {
            return Err(EndpointError::KeyInTheOpen);
        }
        Ok(Self { address, model: model.to_owned(), key })
    }

    /// What the model is called.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Host and port: all of the address that messages show.
    pub fn host(&self) -> String {
        let host = self.address.host_str().unwrap_or_default();
        self.address.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    pub(crate) fn address(&self) -> &Url {
        &self.address
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.address.scheme() == "https"
    }

    pub(crate) fn authorization(&self) -> Option<&HeaderValue> {
        self.key.as_ref().map(|key| &key.header)
    }

    /// The text without the key: a server may repeat it.
    pub(crate) fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) => text.replace(&key.text, HIDDEN),
            None => text.to_owned(),
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key.as_ref().map(|_| HIDDEN);
        let mut shown = formatter.debug_struct("Endpoint");
        shown.field("host", &self.host()).field("model", &self.model).field("key", &key).finish()
    }
}

impl Key {
    fn new(text: &str) -> Result<Self, EndpointError> {
        let header = HeaderValue::from_str(&format!("Bearer {text}"));
        let mut header = header.map_err(|_| EndpointError::KeyNotSendable)?;
        header.set_sensitive(true);
        Ok(Self { text: text.to_owned(), header })
    }
}

fn address(base: &str, path: &[&str]) -> Result<Url, EndpointError> {
    let mut address = Url::parse(base.trim()).map_err(|_| EndpointError::NotAnAddress)?;
    if !matches!(address.scheme(), "http" | "https") || address.host_str().is_none_or(str::is_empty) {
        return Err(EndpointError::NotAnAddress);
    }
    if !address.username().is_empty() || address.password().is_some() {
        return Err(EndpointError::CredentialsInAddress);
    }
    address.set_fragment(None);
    if !address.path().trim_end_matches('/').ends_with(&format!("/{}", path.join("/"))) {
        let mut segments = address.path_segments_mut().map_err(|()| EndpointError::NotAnAddress)?;
        segments.pop_if_empty().extend(path);
    }
    Ok(address)
}

fn is_this_machine(address: &Url) -> bool {
    let host = address.host_str().unwrap_or_default();
    let number = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || host.ends_with(".localhost") || number.is_ok_and(|number| number.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-0123456789";

    fn address_of(base: &str) -> String {
        Endpoint::new(base, "m", None).unwrap().address().to_string()
    }

    fn refusal(base: &str, key: Option<&str>) -> EndpointError {
        Endpoint::new(base, "m", key).unwrap_err()
    }

    #[test]
    fn requests_go_below_the_base() {
        assert_eq!(address_of("https://api.example/v1"), "https://api.example/v1/chat/completions");
        assert_eq!(address_of(" https://api.example/v1/ "), "https://api.example/v1/chat/completions");
        assert_eq!(address_of("https://api.example"), "https://api.example/chat/completions");
        assert_eq!(
            address_of("https://api.example/v1?version=7#top"),
            "https://api.example/v1/chat/completions?version=7"
        );
        assert_eq!(address_of("https://api.example/v1/chat/completions"), "https://api.example/v1/chat/completions");
    }

    #[test]
    fn requests_for_embeddings_go_below_the_same_base() {
        for base in ["https://api.example/v1", "https://api.example/v1/embeddings"] {
            let endpoint = Endpoint::for_embeddings(base, "m", None).unwrap();
            assert_eq!(endpoint.address().to_string(), "https://api.example/v1/embeddings");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_without_repeating_it() {
        for base in ["", "api.example/v1", "ftp://api.example", "https://", "file:///etc", "localhost:11434"] {
            assert_eq!(refusal(base, None), EndpointError::NotAnAddress, "{base}");
        }
        let error = refusal("https://me:secret@api.example/v1", None);
        assert_eq!(error, EndpointError::CredentialsInAddress);
        assert!(!error.to_string().contains("secret"), "{error}");
        assert_eq!(Endpoint::new("https://api.example", " ", None).unwrap_err(), EndpointError::NoModel);
    }

    #[test]
    fn a_key_goes_unencrypted_to_this_machine_only() {
        for base in ["http://api.example/v1", "http://192.168.1.7:8080", "http://127.0.0.1.example", "http://[::2]"] {
            assert_eq!(refusal(base, Some(KEY)), EndpointError::KeyInTheOpen, "{base}");
            assert!(Endpoint::new(base, "m", None).is_ok(), "{base}");
            assert!(Endpoint::new(base, "m", Some(" ")).is_ok(), "an empty key is none");
        }
        for base in
            ["http://127.0.0.1:1/v1", "http://[::1]:1", "http://LOCALHOST:1", "http://a.localhost", "https://a.b"]
        {
            assert!(Endpoint::new(base, "m", Some(KEY)).is_ok(), "{base}");
        }
    }

    #[test]
    fn the_key_is_in_no_form_for_people() {
        let endpoint = Endpoint::new("https://api.example:8443/v1?token=hidden", "m", Some(KEY)).unwrap();
        let shown = format!("{endpoint:?} {endpoint:#?} {:?}", endpoint.authorization());
        assert!(!shown.contains(KEY) && !shown.contains("hidden") && shown.contains("api.example:8443"), "{shown}");
        assert_eq!(endpoint.without_key(&format!("bad key {KEY}!")), "bad key [key]!");
        assert_eq!(refusal("https://api.example", Some("a\nb")), EndpointError::KeyNotSendable);
    }
}
