import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { appendTasks } from '../../../../../http-edge/scoring/batch/append-tasks.js';
import { recordsOf } from '../../../../../http-edge/scoring/task-records.js';
import type { TaskRecords } from '../../../../../http-edge/ports.js';
import { keyRecord } from '../../../../support/in-memory-ports.js';

const key = keyRecord('k', 'secret', ['metrics']);
const endpoint = { metric: 'text_metrics', acceptedMessage: 'Accepted.' } as const;

const taskOf = (characters: number, at: number): TaskRecords =>
  recordsOf({
    taskId: `task-${at}`,
    key,
    endpoint,
    texts: { prompt: 'a'.repeat(characters), response: null },
    nowMs: 0,
    digest: null,
  });

describe('the appends of a batch', () => {
  it('bring every task once, in order within an append, and are few', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 150_000 }), { maxLength: 60 }), async (sizes) => {
        const tasks = sizes.map(taskOf);
        const chunks: (readonly TaskRecords[])[] = [];
        const { durable, failure } = await appendTasks(tasks, async (chunk) => {
          chunks.push(chunk);
          await turn();
        });
        assert.equal(failure, undefined);
        assert.equal(durable.size, tasks.length);
        assert.deepEqual(chunks.flat(), tasks);
        const characters = sizes.reduce((sum, size) => sum + size, 0);
        assert.ok(chunks.length <= 1 + characters / 100_000 + tasks.length / 100);
      }),
      { numRuns: 30 },
    );
  });

  it('are ten for a thousand short texts', async () => {
    let appends = 0;
    await appendTasks(
      Array.from({ length: 1_000 }, (_, at) => taskOf(20, at)),
      () => Promise.resolve(void (appends += 1)),
    );
    assert.equal(appends, 10);
  });

  it('end after the first failure, and report what is durable by then', async () => {
    const tasks = Array.from({ length: 1_000 }, (_, at) => taskOf(20, at));
    const broken = new Error('Kafka is away');
    let appends = 0;
    const { durable, failure } = await appendTasks(tasks, async (chunk) => {
      appends += 1;
      await turn();
      if (chunk.includes(tasks[250] as TaskRecords)) throw broken;
    });
    assert.equal(failure, broken);
    assert.ok(appends < 10);
    assert.equal(durable.size, (appends - 1) * 100);
    assert.ok(durable.has(tasks[0] as TaskRecords));
    assert.ok(!durable.has(tasks[250] as TaskRecords));
  });
});
