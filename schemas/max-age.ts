/**
 * What agents date further back is not taken: nobody asks for older ones, and tables are cut by month: one insert of times
 * from all over would make more parts than ClickHouse takes, and be refused whole.
 */
export const maxAgeDays = 400;

export const maxAgeMs = maxAgeDays * 86_400_000;
