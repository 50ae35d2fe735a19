//! Which kept experience says nearly the same?

use deadpool_postgres::Client;
use experience::duplicates;
use store::Twin;
use uuid::Uuid;

use super::row;
use crate::error::Outcome;

/// So many of one key are compared, the newest first: a text that is kept again and again must not make keeping slow.
const CANDIDATES: &str = "
    SELECT experience.id, experience_text.* FROM (
        SELECT DISTINCT candidate.key FROM unnest($1::bigint[]) AS wanted (band) CROSS JOIN LATERAL (
            SELECT key FROM experience_band JOIN experience USING (key)
            WHERE experience_band.band = wanted.band AND deleted_at IS NULL ORDER BY key DESC LIMIT 8
        ) AS candidate
    ) AS candidates JOIN experience USING (key) JOIN experience_text USING (key) ORDER BY key";

/// The one that is most alike, if one is alike enough.
pub(super) async fn find(client: &Client, text: &str, bands: &[i64]) -> Outcome<Option<Twin>> {
    let select = client.prepare_cached(CANDIDATES).await?;
    let rows = client.query(&select, &[&bands]).await?;
    let mut candidates = Vec::with_capacity(rows.len());
    for row in &rows {
        let candidate = row::content(row)?;
        let text = candidate.text();
        candidates.push((Twin { id: row.try_get::<_, Uuid>("id")?.into(), title: candidate.title }, text));
    }
    let compared = candidates.iter().map(|(twin, text)| (twin, text.as_str()));
    Ok(duplicates::twin(text, compared).cloned())
}

/// The keys under which this text is found.
pub(super) fn bands(text: &str) -> Vec<i64> {
    let mut bands = duplicates::band_keys(text).to_vec();
    bands.sort_unstable();
    bands.dedup();
    bands
}
