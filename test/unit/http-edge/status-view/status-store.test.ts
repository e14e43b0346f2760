import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  bodyOf,
  digestOf,
  encodeEntry,
  encodeReference,
  isReference,
  laterOf,
  offsetIn,
  workspaceOf,
} from '../../../../http-edge/status-view/entry.js';
import { StatusStore, statusStoreFormat } from '../../../../http-edge/status-view/status-store.js';
import type { Checkpoint } from '../../../../runtime/kafka/views/view-target.js';
import { openViewStore, type ViewStore } from '../../../../runtime/kafka/views/view-store.js';
import { silentLogger } from '../../../../runtime/logging.js';
import type { TaskStatus } from '../../../../schemas/generated/task-status.js';
import { taskStates } from '../../../../schemas/results.js';
import { taskStatusBody } from '../../../../schemas/task-status-body.js';

const day = 86_400_000;
const start = Date.UTC(2026, 0, 10);

function checkpoint(position: number): Checkpoint {
  return {
    clusterId: 'c',
    topic: 'scoring.task-status',
    savedAt: start,
    partitions: { 0: { position, restartAt: position, lastTimestamp: null } },
  };
}

function status(taskId: string, state: TaskStatus['status'], more: Partial<TaskStatus> = {}): TaskStatus {
  return {
    task_id: taskId,
    workspace: 'acme',
    metric: 'text_metrics',
    status: state,
    message: state,
    result: state === 'processed' ? '{"id":"1"}' : null,
    error: state === 'failed' ? 'too "long"' : null,
    accepted_at: start * 1_000,
    updated_at: start * 1_000,
    request_digest: null,
    ...more,
  };
}

/** One character per byte, as the edge sends it. */
const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

describe('the store of task statuses', () => {
  let folder: string;
  let store: ViewStore;
  let now: number;
  let statuses: StatusStore;
  let keepsResults: boolean;
  const openStore = (format = statusStoreFormat): void => {
    store = openViewStore({ folder: join(folder, 'store'), format, logger: silentLogger });
    statuses = new StatusStore(
      store,
      7 * day,
      () => now,
      () => keepsResults,
    );
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'telltale-'));
    now = start;
    keepsResults = true;
    openStore();
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const put = (...values: TaskStatus[]): Promise<void> =>
    statuses.apply(
      values.map((value, offset) => ({ key: value.task_id, value, offset })),
      checkpoint(values.length),
    );
  const bodyFor = (taskId: string): unknown => {
    const entry = statuses.find(taskId);
    return entry === undefined ? undefined : JSON.parse(textOf(bodyOf(entry)));
  };

  it('gives the answer as the API words it, together with workspace and digest', async () => {
    const processed = status('a', 'processed', {
      workspace: 'größe',
      request_digest: 'sha',
      result: '{"prompt":"größe ✓ 𝄞"}',
    });
    await put(processed);
    const entry = statuses.find('a');
    assert.ok(entry);
    assert.equal(textOf(bodyOf(entry)), taskStatusBody(processed));
    assert.equal(workspaceOf(entry), 'größe');
    assert.equal(digestOf(entry), 'sha');
  });

  it('only ever moves a task forward, whatever the order and however often records come', async () => {
    const moves = taskStates.map((state, index) =>
      status('any', state, { updated_at: start * 1_000 + index }),
    );
    let task = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...moves), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (sequence, atOnce) => {
          const taskId = `task-${task++}`;
          const rank = { queued: 0, processing: 1, processed: 2, failed: 3 } as const;
          let highest = 0;
          for (let at = 0; at < sequence.length; at += atOnce) {
            const part = sequence.slice(at, at + atOnce).map((move) => ({ ...move, task_id: taskId }));
            await put(...part);
            highest = Math.max(highest, ...part.map((move) => rank[move.status]));
            assert.equal((bodyFor(taskId) as { status: string }).status, taskStates[highest]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('stores results, or references to them if it is told to, and can hold both kinds at once', async () => {
    await put(status('before', 'processed'));
    keepsResults = false;
    await put(status('waiting', 'queued'), status('failed', 'failed'), status('done', 'processed'));
    for (const whole of ['before', 'waiting', 'failed'])
      assert.notEqual(bodyFor(whole), undefined, 'what has no result is whole, and what was whole stays so');
    const reference = statuses.find('done');
    assert.ok(reference !== undefined && isReference(reference));
    assert.equal(offsetIn(reference), 2);
    assert.throws(() => bodyOf(reference), /no body/);
    const later = { updated_at: (start + 1) * 1_000 };
    await put(status('other', 'queued'), status('done', 'processed', later), status('done', 'processing'));
    assert.equal(offsetIn(statuses.find('done') ?? assert.fail()), 1, 'of the record that counts');
    keepsResults = true;
    await put(status('done', 'processed', later));
    assert.ok(isReference(statuses.find('done') ?? assert.fail()), 'the same status again changes nothing');
    now = start + 9 * day;
    assert.equal(await statuses.purge(), 5);
  });

  it('compares references like the entries that they stand for, and keeps all other fields', () => {
    const done = status('a', 'processed', { workspace: 'größe', request_digest: 'sha' });
    const far = 2 ** 52 + 1;
    const reference = encodeReference(done, far);
    assert.deepEqual(
      [offsetIn(reference), workspaceOf(reference), digestOf(reference)],
      [far, 'größe', 'sha'],
    );
    const earlier = encodeEntry(status('a', 'processing', { updated_at: (start + 9) * 1_000 }));
    const whole = encodeEntry(done);
    assert.equal(laterOf(earlier, reference), reference);
    assert.equal(laterOf(reference, earlier), reference);
    assert.equal(laterOf(whole, reference), whole, 'neither is later');
    assert.equal(isReference(whole), false);
  });

  it('treats a task past its retention as absent, and purges it', async () => {
    await put(status('old', 'processed'), status('new', 'processed', { accepted_at: (start + day) * 1_000 }));
    now = start + 7 * day + 1;
    assert.equal(bodyFor('old'), undefined);
    assert.notEqual(bodyFor('new'), undefined);
    now += 2 * 3_600_000;
    assert.equal(await statuses.purge(), 1);
    assert.equal(store.get('old'), undefined);
    assert.notEqual(bodyFor('new'), undefined);
    assert.equal(await statuses.purge(), 0);
  });

  it('does not store a task that is already past its retention', async () => {
    now = start + 8 * day;
    await put(status('old', 'queued'));
    assert.equal(store.get('old'), undefined);
  });

  it('forgets a task at its tombstone, and nothing is left to purge', async () => {
    await put(status('a', 'processed'));
    await statuses.apply([{ key: 'a', value: null, offset: 1 }], checkpoint(2));
    assert.equal(bodyFor('a'), undefined);
    now = start + 30 * day;
    assert.equal(await statuses.purge(), 0);
  });

  it('keeps data and checkpoint over a restart', async () => {
    await put(status('a', 'processed'));
    await store.close();
    openStore();
    assert.deepEqual(statuses.checkpoint(), checkpoint(1));
    assert.notEqual(bodyFor('a'), undefined);
  });

  it('throws away a store of another format', async () => {
    await put(status('a', 'processed'));
    await store.close();
    openStore('task-status/other');
    assert.equal(statuses.checkpoint(), undefined);
    assert.equal(bodyFor('a'), undefined);
  });

  it('saves the checkpoint with the last of many changes', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => status(`t${index}`, 'queued'));
    await put(...many);
    assert.deepEqual(statuses.checkpoint(), checkpoint(2_500));
    assert.notEqual(bodyFor('t2499'), undefined);
  });
});
