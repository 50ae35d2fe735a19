//! The server, found at the first call, with the indexes that finding needs.

use std::fmt;
use std::time::Duration;

use mongodb::bson::{Document, doc};
use mongodb::error::ErrorKind;
use mongodb::options::{ClientOptions, IndexOptions, WriteConcern};
use mongodb::{Client, Collection, IndexModel};
use store::ServerAddress;
use tokio::sync::OnceCell;

use crate::failure::{Outcome, UNAUTHORIZED};

const DATABASE: &str = "trailmark";
const COLLECTION: &str = "documents";
/// A server that is down is not waited for; one that is being replaced is found by the next call.
const FIND_SERVER: Duration = Duration::from_secs(2);
const CONNECT: Duration = Duration::from_secs(2);
const MOST_CONNECTIONS: u32 = 16;

/// Name and keys, in the order of the index.
const INDEXES: &[(&str, &[(&str, i32)])] = &[
    ("newest", &[("created_at", -1), ("_id", -1)]),
    ("topic", &[("topic_key", 1), ("created_at", -1), ("_id", -1)]),
    ("words", &[("words.word", 1)]),
];

pub(crate) struct Connection {
    address: ServerAddress,
    client: OnceCell<Client>,
    documents: OnceCell<Collection<Document>>,
}

impl Connection {
    pub(crate) fn new(address: ServerAddress) -> Self {
        Self { address, client: OnceCell::new(), documents: OnceCell::new() }
    }

    pub(crate) fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// The collection, with its indexes.
    pub(crate) async fn documents(&self) -> Outcome<&Collection<Document>> {
        self.documents
            .get_or_try_init(|| async {
                let client = self.client().await?;
                let database = self.address.name().unwrap_or(DATABASE);
                let documents = client.database(database).collection(COLLECTION);
                make_indexes(&documents).await?;
                Ok(documents)
            })
            .await
    }

    pub(crate) async fn version(&self) -> Outcome<String> {
        self.documents().await?;
        let admin = self.client().await?.database("admin");
        let answer = admin.run_command(doc! { "buildInfo": 1 }).await?;
        Ok(format!("MongoDB {}", answer.get_str("version").unwrap_or("of unknown version")))
    }

    async fn client(&self) -> Outcome<&Client> {
        self.client
            .get_or_try_init(|| async {
                let mut options = ClientOptions::parse(self.address.secret_url()).await?;
                options.app_name.get_or_insert_with(|| "trailmark".to_owned());
                options.server_selection_timeout.get_or_insert(FIND_SERVER);
                options.connect_timeout.get_or_insert(CONNECT);
                options.max_pool_size.get_or_insert(MOST_CONNECTIONS);
                // Acknowledged means kept: by most members, in their journals.
                options.write_concern =
                    Some(WriteConcern::builder().w(mongodb::options::Acknowledgment::Majority).journal(true).build());
                Ok(Client::with_options(options)?)
            })
            .await
    }
}

/// Only the address: the driver's own description holds the password.
impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Those that are there already are left as they are. Whoever may only read finds what others have made.
async fn make_indexes(documents: &Collection<Document>) -> Outcome<()> {
    let model = |(name, keys): &(&str, &[(&str, i32)])| {
        let keys: Document = keys.iter().map(|(key, order)| ((*key).to_owned(), (*order).into())).collect();
        let options = IndexOptions::builder().name((*name).to_owned()).build();
        IndexModel::builder().keys(keys).options(options).build()
    };
    match documents.create_indexes(INDEXES.iter().map(model)).await {
        Ok(_) => Ok(()),
        Err(error) if matches!(&*error.kind, ErrorKind::Command(refused) if refused.code == UNAUTHORIZED) => {
            tracing::warn!("no index can be made in MongoDB with these rights; searches may be slow");
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}
