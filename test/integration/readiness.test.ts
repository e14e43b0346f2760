import assert from 'node:assert/strict';
import { sharedPipeline, type Pipeline } from '../support/pipeline.js';
import type { Role } from '../support/roles.js';
import { until } from '../support/until.js';

describe('a process of the pipeline', () => {
  let pipeline: Pipeline;

  before(async () => {
    pipeline = await sharedPipeline('readiness');
  });
  after(() => pipeline.stop());

  const roles = (): Record<'edge' | 'processors' | 'sinks', Role> => pipeline;
  /** The conditions that it reports as unmet; empty if it is ready. */
  const waitsFor = async ({ url }: Role): Promise<readonly string[]> => {
    const answer = await fetch(`${url}/readyz`);
    const { waiting_for: missing } = (await answer.json()) as { waiting_for: Record<string, string> };
    assert.equal(answer.ok, Object.keys(missing).length === 0);
    return Object.keys(missing);
  };
  const untilReady = (): Promise<void> =>
    until('every process is ready', async () => {
      const missing = await Promise.all([roles().edge, roles().processors, roles().sinks].map(waitsFor));
      return missing.flat().length === 0;
    });

  it('is not ready while Kafka is down, names it, and is ready once it is back', async () => {
    await untilReady();
    await pipeline.stack.kafka.kill9();
    for (const name of ['edge', 'processors', 'sinks'] as const)
      await until(`${name} waits for Kafka`, async () => (await waitsFor(roles()[name])).includes('Kafka'));
    await pipeline.stack.kafka.start();
    await untilReady();
  });

  it('is not ready while ClickHouse is down, if it writes there', async () => {
    await pipeline.stack.clickhouseServer.kill9();
    await until('the sinks wait for ClickHouse', async () =>
      (await waitsFor(roles().sinks)).includes('ClickHouse'),
    );
    assert.deepEqual(await waitsFor(roles().edge), []);
    assert.deepEqual(await waitsFor(roles().processors), []);
    await pipeline.stack.clickhouseServer.start();
    await untilReady();
  });
});
