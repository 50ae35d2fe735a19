//! Work that waits for a disk, kept off the threads that serve every other call.

use crate::error::ToolError;

/// Runs the work on a thread that may wait. A panic in it goes on in the caller, who is guarded.
pub(crate) async fn off_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(ended) => ended,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(ToolError::internal("the server is shutting down")),
        },
    }
}
