import { retryUntilAvailable, type Assignment, type SinkEnvironment } from './environment.js';

/** Well below the standstill that ends a process. */
const signOfLifeMs = 30_000;

/**
 * Queries a table that may have any number of rows, and waits as long as the partition is assigned: a query
 * that is cancelled and repeated might never be answered. If the server goes down, the query is repeated.
 */
export function queryTable<Row>(
  environment: SinkEnvironment,
  assignment: Assignment,
  sql: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly Row[]> {
  const { clickhouse, progressed, abandoned } = environment;
  const unwanted =
    abandoned === undefined ? assignment.ended : AbortSignal.any([assignment.ended, abandoned]);
  return retryUntilAvailable(environment, assignment, async () => {
    const signsOfLife = setInterval(progressed, signOfLifeMs);
    try {
      return await clickhouse.longQuery<Row>(sql, parameters, unwanted);
    } finally {
      clearInterval(signsOfLife);
    }
  });
}
