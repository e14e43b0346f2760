/**
 * Older items from agents are not accepted. Nobody needs them, and tables are partitioned by month: an insert
 * with timestamps from many months would create more parts than ClickHouse accepts, and be refused whole.
 */
export const maxAgeDays = 400;

export const maxAgeMs = maxAgeDays * 86_400_000;
