import assert from 'node:assert/strict';
import { silentLogger } from '../../../../runtime/logging.js';
import { createMetrics } from '../../../../runtime/metrics.js';
import { createBatchPool, type BatchPool } from '../../../../runtime/pool/batch-pool.js';
import { TelltaleError } from '../../../../runtime/errors.js';
import type { HostileJob } from '../../../support/hostile-worker.js';

const worker = new URL('../../../support/hostile-worker.js', import.meta.url);

function createPool(threads: number, queue = 10_000, module = worker): BatchPool<HostileJob, number> {
  return createBatchPool<HostileJob, number>({
    name: 'test',
    worker: module,
    handler: 'answerHostile',
    threads,
    heapMegabytes: 64,
    batch: { jobs: 50, weight: 1_000 },
    queue,
    weightOf: () => 1,
    limitMsOf: (job) => (job === endless || job.does === 'eat memory' ? 240_000 : 1_000),
    metrics: createMetrics(),
    logger: silentLogger,
  });
}

/** A job that hangs for longer than any test lasts. */
const endless: HostileJob = { does: 'hang', value: -1 };

const doubles = (count: number): HostileJob[] =>
  Array.from({ length: count }, (_, value) => ({ does: 'double', value }));

/** A hundred good jobs with a bad one among them at each of the indices. */
function amongGoodOnes(does: HostileJob['does'], ...indices: readonly number[]): HostileJob[] {
  return doubles(100).map((job) => (indices.includes(job.value) ? { ...job, does } : job));
}

describe('the batch pool', () => {
  let pool: BatchPool<HostileJob, number>;
  before(() => {
    pool = createPool(2);
  });
  after(() => pool.stop());

  const expectOnlyCulpritsFail = async (
    does: HostileJob['does'],
    reason: RegExp,
    indices: readonly number[],
  ): Promise<void> => {
    const outcomes = await pool.run(amongGoodOnes(does, ...indices));
    assert.equal(outcomes.length, 100);
    outcomes.forEach((outcome, index) => {
      if (!indices.includes(index)) assert.deepEqual(outcome, { ok: true, answer: index * 2 });
      else assert.ok(!outcome.ok && reason.test(outcome.reason), JSON.stringify(outcome));
    });
    assert.deepEqual(
      await pool.run(doubles(3)),
      [0, 2, 4].map((answer) => ({ ok: true, answer })),
    );
  };

  it('answers every job, in order', async () => {
    const outcomes = await pool.run(doubles(1_000));
    assert.deepEqual(
      outcomes,
      doubles(1_000).map(({ value }) => ({ ok: true, answer: value * 2 })),
    );
  });

  it('answers nothing for no jobs', async () => assert.deepEqual(await pool.run([]), []));

  it('fails a job that throws, alone', () => expectOnlyCulpritsFail('throw', /can't do 7/, [7]));

  it('fails a job that hangs, alone, with the limit as its reason', () =>
    expectOnlyCulpritsFail('hang', /took longer than 1000 ms/, [30]));

  it('fails a job that ends its worker, alone', () =>
    expectOnlyCulpritsFail('exit', /crashed its worker/, [0]));

  it('fails a job that uses up all memory, alone', () =>
    expectOnlyCulpritsFail('eat memory', /more memory/, [99]));

  it('finds several culprits in one batch', () => expectOnlyCulpritsFail('exit', /crashed/, [10, 11, 60]));

  it('fails a lone culprit', async () => {
    const [outcome] = await pool.run([{ does: 'exit', value: 1 }]);
    assert.ok(outcome !== undefined && !outcome.ok);
  });

  it('answers others while a job hangs', async () => {
    const enough = new AbortController();
    const hanging = pool.run([endless], { signal: enough.signal });
    assert.deepEqual(await pool.run(doubles(1)), [{ ok: true, answer: 0 }]);
    const reason = new Error('the others are answered');
    enough.abort(reason);
    await assert.rejects(hanging, reason);
  });

  it('refuses jobs that its queue has no room for', async () => {
    const small = createPool(1, 60);
    const first = small.run([{ does: 'hang', value: 0 }]);
    const second = small.run(doubles(50));
    await assert.rejects(
      small.run(doubles(11)),
      (error) => error instanceof TelltaleError && error.code === 'POOL_FULL',
    );
    await first;
    assert.equal((await second).length, 50);
    await small.stop();
  });

  it('drops aborted jobs, and continues', async () => {
    const single = createPool(1);
    const reason = new Error('partition taken away');
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = single.run([{ does: 'hang', value: 0 }], { signal: running.signal });
    const second = single.run(doubles(5), { signal: waiting.signal });
    running.abort(reason);
    waiting.abort(reason);
    await assert.rejects(first, reason);
    await assert.rejects(second, reason);
    assert.equal((await single.run(doubles(5))).length, 5);
    await single.stop();
  });

  it('says that its workers do not start, and blames no job', async () => {
    const broken = createPool(1, 100, new URL('./no-such-worker.js', import.meta.url));
    await assert.rejects(
      broken.run(doubles(2)),
      (error) => error instanceof TelltaleError && error.code === 'STEP_FAILED',
    );
    await broken.stop();
  });
});
