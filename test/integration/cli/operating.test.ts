import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PipelineLag, StageLag } from '../../../cli/lag/pipeline-lag.js';
import { startPipeline, type Pipeline } from '../../support/pipeline.js';
import { runTelltale } from '../../support/roles.js';
import { until } from '../../support/until.js';

describe('operating a pipeline', () => {
  let pipeline: Pipeline;

  before(async () => {
    pipeline = await startPipeline('operating');
  });
  after(() => pipeline.stop());

  const authorization = (): { authorization: string } => ({ authorization: `Bearer ${pipeline.key}` });
  const sendEvents = async (count: number): Promise<string> => {
    const metric = randomUUID();
    const answer = await fetch(`${pipeline.edge.url}/`, {
      method: 'POST',
      headers: { ...authorization(), 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: count }, () => ({ metric, type: 'increment', value: 1 }))),
    });
    assert.equal(answer.status, 200, await answer.text());
    return metric;
  };
  const lag = async (): Promise<PipelineLag> =>
    JSON.parse(await runTelltale(['lag', '--json'], pipeline.environment)) as PipelineLag;
  const sinkOf = ({ stages }: PipelineLag, stage = 'sinks/events'): StageLag => {
    const found = stages.find((one) => one.stage === stage);
    assert.ok(found !== undefined);
    return found;
  };
  const untilSink = (what: string, holds: (sink: StageLag) => boolean): Promise<void> =>
    until(what, async () => holds(sinkOf(await lag())));

  describe('telltale lag', () => {
    it('knows where every stage stands', async () => {
      const metric = await sendEvents(3);
      await until('the events are stored', async () => {
        const sql = `SELECT count() AS rows FROM telltale.events WHERE metric = '${metric}'`;
        return Number((await pipeline.query<{ rows: string }>(sql))[0]?.rows) === 3;
      });
      await until('nothing lags', async () =>
        (await lag()).stages.every(({ lag_records: records }) => records === 0),
      );
      const { stages } = await lag();
      for (const { stage, state, members, unknown, waits_for, lag_seconds, partitions } of stages) {
        const all = { state, members, unknown, waits_for, lag_seconds };
        const good = { state: 'running', members: 1, unknown: null, waits_for: null, lag_seconds: 0 };
        assert.deepEqual(all, good, stage);
        assert.ok(partitions.length > 0, stage);
      }
      assert.ok((sinkOf({ at: '', stages }).appended_last_minute ?? 0) >= 3);
    });

    it('names a process that is gone, and how long its records wait, also as metrics', async () => {
      await pipeline.sinks.stop();
      await sendEvents(5);
      await untilSink('five records wait', ({ lag_records: records }) => records === 5);
      const behind = sinkOf(await lag());
      assert.equal(behind.state, 'stopped');
      assert.match(
        behind.waits_for ?? '',
        /telltale\.sink\.events has no member; start one \(`telltale sinks`\)/,
      );
      assert.ok((behind.lag_seconds ?? 0) > 0);
      assert.match(
        await runTelltale(['lag'], pipeline.environment),
        /sinks\/events +\S+ m?i?n?s? +5 +0 .*no member/,
      );

      const answer = await fetch(`${pipeline.edge.url}/api/v1/pipeline`, { headers: authorization() });
      assert.equal(sinkOf((await answer.json()) as PipelineLag).lag_records, 5);
      await until('the edge says it as a metric', async () => {
        const said = await (await fetch(`${pipeline.edge.url}/metrics`)).text();
        const partitions = said.matchAll(/^telltale_stage_lag_records\{stage="sinks\/events",.*\} (\d+)$/gm);
        return [...partitions].reduce((sum, [, records]) => sum + Number(records), 0) === 5;
      });
    });

    it('says that nothing lags once all is read, and names ClickHouse while it is away', async () => {
      await pipeline.sinks.start();
      await untilSink('all is read', ({ lag_records: records }) => records === 0);
      await pipeline.stack.clickhouseServer.kill9();
      await sendEvents(2);
      await untilSink(
        'ClickHouse is named',
        ({ waits_for: what }) => what?.startsWith('ClickHouse: ') === true,
      );
      await pipeline.stack.clickhouseServer.start();
      await untilSink('all is read', ({ lag_records: records }) => records === 0);
    });
  });
});
