import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { clusterHealthProcessor } from '../../../processors/cluster-health/index.js';
import { scoreMetrics } from '../../../processors/score-metrics/index.js';
import type { ScoringPool } from '../../../processors/score-metrics/scoring-job.js';
import type { LogRecord } from '../../../runtime/kafka/protocol/record-batches.js';
import type { Processor } from '../../../runtime/processor.js';
import { decodeRun, runStep } from '../../../runtime/processor-step.js';
import { codecsOfIds } from '../../../runtime/registry/codec-book.js';
import type { ClusterSnapshot } from '../../../schemas/generated/cluster-snapshot.js';
import type { ScoringRequest } from '../../../schemas/generated/scoring-request.js';
import { clusterSnapshots } from '../../../topics/clusters.js';
import { scoringRequests } from '../../../topics/scoring.js';
import type { Topic } from '../../../topics/topic.js';
import { healthBody, nodesBody, snapshot } from '../../support/cluster-snapshots.js';
import { logRecord } from '../../support/log-records.js';
import { meterTurns } from '../../support/turn-meter.js';

/** The most processor time that one turn of the event loop may take, whatever the records contain. */
const mostMs = 50;
/** Compilation and garbage collection lengthen a turn once; a fault in the code lengthens it each time. */
const tries = 5;

const many = <Element>(count: number, of: (at: number) => Element): Element[] =>
  Array.from({ length: count }, (_, at) => of(at));

const operations = { queries_total: 1, queries_time_ms: 1, indexing_total: 5, indexing_time_ms: 5 };
const longIndices = (minute: number): ClusterSnapshot =>
  snapshot('indices', minute, {
    indices: many(5_000, (at) => ({
      ...{ index: `index-${at}`, uuid: `uuid-${at}`, health: 'green', docs_count: at * minute },
      ...{ total: operations, primary: operations },
    })),
  });
const lost = { primary: true, unassigned_reason: 'NODE_LEFT' };
const longShards = (minute: number): ClusterSnapshot =>
  snapshot('shards', minute, {
    unassigned: 5_000,
    shards: many(5_000, (at) => ({ index: `index-${at}`, shard: 0, state: 'UNASSIGNED', ...lost })),
    explanations: many(200, (at) => ({
      ...{ index: `index-${at}`, shard: 0, ...lost },
      deciders: many(10, () => ({ decider: 'same_shard', explanation: 'x'.repeat(300) })),
    })),
  });
const manyNodes = (minute: number): ClusterSnapshot =>
  snapshot('nodes', minute, nodesBody(...many(200, (at) => ({ id: `n${at}`, queries: at * minute }))));
const smallSnapshots = (minute: number): ClusterSnapshot[] =>
  many(100, (at) =>
    snapshot('health', minute, healthBody(), { cluster_uuid: `cluster-${at}`, workspace: `of-${at}` }),
  );

const task = (at: number): ScoringRequest => ({
  ...{ id: `task-${at}`, workspace: 'default', key_id: 'k', metric: 'text-metrics' },
  ...{ prompt: '😀'.repeat(100_000), response: '\u0001'.repeat(100_000) },
  ...{ accepted_at: 0, deadline: null, reply_to: null, request_digest: null },
});
const pool: ScoringPool = {
  score: (jobs) =>
    Promise.resolve(jobs.map(() => ({ ok: true, metrics: {}, scorerVersions: {}, patternPlaces: {} }))),
  stop: () => Promise.resolve(),
};

let offset = 0;
const meter = meterTurns();

/** The longest turn while a run of records is decoded, processed and encoded; the least of several tries. */
async function leastTurn<In>(
  processor: Processor<In>,
  topic: Topic<In>,
  values: (run: number) => readonly In[],
): Promise<number> {
  const environment = { processor, codecs: codecsOfIds([processor.from, ...processor.to], {}) };
  const context = { signal: new AbortController().signal, assignment: {} };
  let least = Infinity;
  for (let run = 0; run < tries && least > mostMs; run++) {
    const messages: LogRecord[] = [];
    for (const value of values(run)) {
      const encoded = environment.codecs.of(topic).encode(value);
      messages.push(logRecord(offset++, encoded, { key: Buffer.from('k') }));
      await nextTurn();
    }
    await nextTurn();
    meter.reset();
    const decoded = await decodeRun(environment, 0, messages);
    const result = await runStep(environment, messages, decoded, 0, context);
    await nextTurn();
    await nextTurn();
    least = Math.min(least, meter.largest());
    assert.deepEqual(result.kind === 'done' && [...result.counts], [['emit', messages.length]]);
  }
  return least;
}

describe('a turn of the event loop of the processors', () => {
  const clusters: Readonly<Record<string, (minute: number) => readonly ClusterSnapshot[]>> = {
    'a listing of 5,000 indices': (minute) => [longIndices(minute)],
    'a listing of 5,000 shards, none of them assigned': (minute) => [longShards(minute)],
    'a snapshot of 200 nodes': (minute) => [manyNodes(minute)],
    'many large listings at once': (minute) => many(5, (at) => longIndices(minute * 5 + at)),
    'snapshots of many clusters': smallSnapshots,
  };
  for (const [name, values] of Object.entries(clusters))
    it(`takes at most ${mostMs} ms of processor time with ${name}`, async () => {
      const processor = clusterHealthProcessor(() => Promise.resolve([]));
      const least = await leastTurn(processor, clusterSnapshots, values);
      assert.ok(least <= mostMs, `a turn took ${least.toFixed(0)} ms of processor time`);
    });

  it(`takes at most ${mostMs} ms of processor time with the longest texts`, async () => {
    const processor = scoreMetrics({ pool, clock: () => 0 });
    const least = await leastTurn(processor, scoringRequests, () => many(40, task));
    assert.ok(least <= mostMs, `a turn took ${least.toFixed(0)} ms of processor time`);
  });
});
