import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pipeline } from './pipeline.js';
import { inParallel, type TaskClient } from './task-client.js';

const path = '/api/v1/monitoring/metrics/text-metrics/task';

/** Submits tasks until each is acknowledged, and then knows which must be stored and which may be. */
export class TaskOracle {
  /** The number of the request, by task id. */
  readonly acknowledged = new Map<string, number>();
  /** Requests with an attempt that failed for the client, but might still have become a task. */
  private readonly cutOff = new Set<number>();

  constructor(
    private readonly workspace: string,
    /** The start of every request's text. */
    private readonly name = 'Request',
    /** Whether each request has an Idempotency-Key, so that no two of its attempts may become tasks. */
    private readonly isKeyed = false,
  ) {}

  get failedRequests(): number {
    return this.cutOff.size;
  }

  /** Returns the task's id. */
  async submitUntilAccepted(client: TaskClient, index: number): Promise<string> {
    const headers = this.isKeyed ? { 'idempotency-key': `${this.name}-${index}` } : {};
    for (;;) {
      const attempt = await client.submit(path, { prompt: this.textOf(index) }, headers);
      if (attempt.kind === 'accepted') {
        this.acknowledged.set(attempt.taskId, index);
        return attempt.taskId;
      }
      this.cutOff.add(index);
      await sleep(100);
    }
  }

  /** Reads the status of every acknowledged task until it is `processed`. */
  async verifyProcessed(client: TaskClient, connections: number): Promise<void> {
    const ids = [...this.acknowledged.keys()];
    await inParallel(ids.length, connections, async (at) => {
      const id = ids[at] ?? '';
      for (let tries = 0; ; tries++) {
        const { code, body } = await client.status(id);
        // 503: the edge can't know in time, which is no wrong answer; the status is read again.
        assert.ok(code === 200 || code === 503, `${id}: ${JSON.stringify(body)}`);
        if (body['status'] === 'processed') return;
        assert.notEqual(body['status'], 'failed', JSON.stringify(body));
        assert.ok(tries < 2_400, `${id} is still ${String(body['status'])}`);
        await sleep(200);
      }
    });
  }

  /** Asserts one row per acknowledged task; all other rows must be of attempts that failed for the client. */
  async verifyStored(pipeline: Pipeline): Promise<void> {
    const of = `workspace = '${this.workspace}' AND startsWith(prompt, '${this.name} ')`;
    const rows = await pipeline.query<{ id: string; text: string; copies: string }>(
      `SELECT toString(task_id) AS id, any(prompt) AS text, count() AS copies FROM telltale.scoring_results WHERE ${of} GROUP BY task_id`,
    );
    const doubled = await pipeline.query(
      `SELECT toString(task_id) AS id, groupArray((appended_at, taken_at, _partition, _offset)) AS copies
       FROM telltale.scoring_results WHERE ${of} GROUP BY task_id HAVING count() > 1`,
    );
    assert.deepEqual(doubled, []);
    const stored = new Map(rows.map((row) => [row.id, row]));
    for (const [id, index] of this.acknowledged) {
      const row = stored.get(id);
      assert.ok(row, `${id} (request ${index}) is not in ClickHouse`);
      assert.equal(this.indexOf(row.text), index);
    }
    for (const { id, text } of rows) {
      if (this.acknowledged.has(id)) continue;
      assert.ok(!this.isKeyed && this.cutOff.has(this.indexOf(text)), `nobody sent ${id}: ${text}`);
    }
  }

  /** A unique text, by which a row can be traced to its request. */
  private textOf(index: number): string {
    return `${this.name} ${index} says that the harbour was ${index % 2 === 0 ? 'wonderfully calm' : 'terribly rough'}. Nobody sailed. ${'It rained. '.repeat(index % 7)}`;
  }

  private indexOf(text: string): number {
    return Number(text.slice(this.name.length + 1).split(' ', 1)[0]);
  }
}
