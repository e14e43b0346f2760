import { retryUntilAvailable, type Assignment, type SinkEnvironment } from './environment.js';

/** Well below the standstill that ends a process. */
const signOfLifeMs = 30_000;

/**
 * Asks a table that may have any number of rows, for as long as the partition is assigned: a question that is given up and
 * asked again may never be answered. A server that is gone is noticed all the same, and asked again.
 */
export function askTable<Row>(
  environment: SinkEnvironment,
  assignment: Assignment,
  sql: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly Row[]> {
  const { clickhouse, progressed, givenUp } = environment;
  const unwanted = givenUp === undefined ? assignment.ended : AbortSignal.any([assignment.ended, givenUp]);
  return retryUntilAvailable(environment, assignment, async () => {
    const signsOfLife = setInterval(progressed, signOfLifeMs);
    try {
      return await clickhouse.longQuery<Row>(sql, parameters, unwanted);
    } finally {
      clearInterval(signsOfLife);
    }
  });
}
