-- Rows go in the order in which they came, so that the audit can tell what expired from what was lost.
ALTER TABLE telltale.scoring_results MODIFY TTL toDateTime(inserted_at) + INTERVAL 400 DAY;
