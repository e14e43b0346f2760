import { openAccessKeysSession } from '../../cli/access-keys-session.js';
import { readPipelineLag } from '../../cli/lag/pipeline-lag.js';
import { pipeline } from '../../cli/pipeline.js';
import { sinks } from '../../cli/sinks.js';
import { createKey } from '../../http-edge/keys/key-store.js';
import type { Scope } from '../../http-edge/keys/scopes.js';
import { audit, type Audit } from '../../runtime/clickhouse/audit.js';
import { connectClickHouse } from '../../runtime/clickhouse/client.js';
import { openGroupLagReader } from '../../runtime/kafka/consume/group-lag.js';
import { accessTo } from './kafka.js';
import type { TestStack } from './stack.js';
import { until } from './until.js';

/*
 * The work of `telltale keys create`, `audit` and `lag` without a separate process, because starting one
 * costs more than the work itself. The tests of test/integration/cli run the commands.
 */

/** The token of a new key. */
export async function newKey(
  environment: Readonly<Record<string, string>>,
  workspace: string,
  scopes: readonly Scope[],
): Promise<string> {
  const session = await openAccessKeysSession(environment);
  try {
    const { token } = await createKey(
      session.keys,
      workspace,
      { name: 'tests', scopes, expiresAt: null },
      Date.now(),
    );
    return token;
  } finally {
    await session.close();
  }
}

export async function auditOf({ clickhouse: { url, writer } }: TestStack): Promise<Audit> {
  const clickhouse = connectClickHouse({ url, ...writer });
  try {
    return await audit(clickhouse, sinks);
  } finally {
    await clickhouse.close();
  }
}

const sinkStages = pipeline.filter(({ role }) => role === 'sinks');

/** Resolves once the sinks have committed every record of their topics. */
export async function untilSinksCaughtUp({ brokers }: TestStack): Promise<void> {
  const kafka = openGroupLagReader(accessTo(brokers));
  const clickhouseDown = (): Promise<undefined> => Promise.resolve(undefined);
  let behind: readonly object[] = [];
  try {
    await until('the sinks have committed every record', async () => {
      const { stages } = await readPipelineLag(sinkStages, { kafka, clickhouseDown });
      behind = stages.filter(({ lag_records: records }) => records !== 0);
      return behind.length === 0;
    });
  } catch (cause) {
    throw new Error(`the sinks are behind: ${JSON.stringify(behind)}`, { cause });
  } finally {
    await kafka.stop();
  }
}
