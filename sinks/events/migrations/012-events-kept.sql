-- Rows go in the order in which they came, not in that of the times that clients name: the audit can then tell what
-- expired from what was lost.
ALTER TABLE telltale.events MODIFY TTL toDateTime(inserted_at) + INTERVAL 400 DAY;
