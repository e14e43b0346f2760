/**
 * Older items of agents are not accepted. Nobody asks for them, and tables are partitioned by month: an insert with
 * times of many months would make more parts than ClickHouse accepts, and be refused whole.
 */
export const maxAgeDays = 400;

export const maxAgeMs = maxAgeDays * 86_400_000;
