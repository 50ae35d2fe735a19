//! From the project's reader, which blocks, to the server's writer, which does not, without holding more than a few batches.

use std::io;
use std::sync::Arc;

use graph_export::Source;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::rows::Batch;
use crate::{Error, Import};

/// Batches read ahead while one is being written.
const AHEAD: usize = 2;

/// What is left to put, in batches.
#[derive(Debug)]
pub(crate) struct Batches {
    receiver: mpsc::Receiver<Batch>,
    reader: JoinHandle<io::Result<()>>,
}

/// What is gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Nodes,
    Relationships,
}

impl Batches {
    /// Begins to read after the first `done` of them.
    pub(crate) fn read(source: Arc<dyn Source>, import: Import, part: Part, done: u64) -> Self {
        let (sender, receiver) = mpsc::channel(AHEAD);
        let reader = tokio::task::spawn_blocking(move || {
            let mut filling = Filling { import, sender, skip: done, batch: Batch::default() };
            match part {
                Part::Nodes => source.nodes(&mut |record| filling.row(|batch, import| batch.add_node(import, record))),
                Part::Relationships => {
                    source.edges(&mut |edge| filling.row(|batch, import| batch.add_edge(import, edge)))
                }
            }?;
            filling.send()
        });
        Self { receiver, reader }
    }

    /// The next batch; `None` when all have come.
    pub(crate) async fn next(&mut self) -> Result<Option<Batch>, Error> {
        if let Some(batch) = self.receiver.recv().await {
            return Ok(Some(batch));
        }
        let ended = (&mut self.reader).await.unwrap_or_else(|panic| Err(io::Error::other(panic)));
        ended.map(|()| None).map_err(Error::Source)
    }
}

struct Filling {
    import: Import,
    sender: mpsc::Sender<Batch>,
    skip: u64,
    batch: Batch,
}

impl Filling {
    fn row(&mut self, add: impl FnOnce(&mut Batch, &Import)) -> io::Result<()> {
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(());
        }
        add(&mut self.batch, &self.import);
        if self.batch.is_full() { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> io::Result<()> {
        let batch = std::mem::take(&mut self.batch);
        if batch.rows == 0 {
            return Ok(());
        }
        self.sender.blocking_send(batch).map_err(|_| io::Error::new(io::ErrorKind::BrokenPipe, "nobody takes the rows"))
    }
}
