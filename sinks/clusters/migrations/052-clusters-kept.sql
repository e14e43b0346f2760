-- Rows go in the order in which they came, not in that of the times that agents name: the audit can then tell what
-- expired from what was lost. An entry of a slow log may be old when it comes, and a snapshot waits in a spool.
ALTER TABLE telltale.cluster_overview MODIFY TTL toDateTime(inserted_at) + INTERVAL 400 DAY;
ALTER TABLE telltale.cluster_nodes MODIFY TTL toDateTime(inserted_at) + INTERVAL 30 DAY;
ALTER TABLE telltale.cluster_indices MODIFY TTL toDateTime(inserted_at) + INTERVAL 30 DAY;
ALTER TABLE telltale.cluster_shards MODIFY TTL toDateTime(inserted_at) + INTERVAL 14 DAY;
ALTER TABLE telltale.cluster_tasks MODIFY TTL toDateTime(inserted_at) + INTERVAL 90 DAY;
ALTER TABLE telltale.cluster_recoveries MODIFY TTL toDateTime(inserted_at) + INTERVAL 90 DAY;
ALTER TABLE telltale.cluster_health MODIFY TTL toDateTime(inserted_at) + INTERVAL 400 DAY;
ALTER TABLE telltale.slow_operations MODIFY TTL toDateTime(inserted_at) + INTERVAL 90 DAY;
