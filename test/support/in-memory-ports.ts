import { batchKey } from '../../http-edge/agent-batches/batch-id.js';
import { agentDatasets } from '../../http-edge/agent-batches/datasets.js';
import { readBatch } from '../../http-edge/agent-batches/read-batch.js';
import { hashOfSecret } from '../../http-edge/keys/key-format.js';
import type { Scope } from '../../http-edge/keys/scopes.js';
import type { EdgePorts, OnceOutcome, RealtimeReply, TaskRecords } from '../../http-edge/ports.js';
import type { ErrorCode } from '../../runtime/errors.js';
import { TelltaleError } from '../../runtime/errors.js';
import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { DashboardSession } from '../../schemas/generated/dashboard-session.js';
import type { Scorer } from '../../schemas/generated/scorer.js';
import type { EncodedRecord } from '../../runtime/kafka/produce/appender.js';
import type { CustomEvent } from '../../schemas/generated/custom-event.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import type { ScoringRequest } from '../../schemas/generated/scoring-request.js';
import type { TaskStatus } from '../../schemas/generated/task-status.js';
import { taskStatusBody } from '../../schemas/task-status-body.js';
import { replaysInMemory } from './replays-in-memory.js';
import { jsonCodec } from './json-codec.js';
import { exampleReads } from './example-reads.js';
import { accessKeysOf, agentReportsOf, hotThreadsOf, keyUsesOf, sessionsOf } from './kept-in-memory.js';

/** Everything behind the edge, in memory: appended work stays queued unless a test changes its state. */
export interface InMemoryPorts extends EdgePorts {
  readonly requests: ScoringRequest[];
  readonly realtime: ScoringRequest[];
  readonly tasks: Map<string, TaskStatus>;
  readonly keys: Map<string, ApiKey>;
  readonly sessionRecords: Map<string, DashboardSession>;
  /** The scorers that processors have reported; the other metrics are unknown. */
  readonly reported: Map<string, Scorer>;
  readonly events: CustomEvent[];
  /** The records made from agents' batches. */
  readonly records: EncodedRecord[];
  /** The ids of calls that wait for an answer. */
  readonly expected: ReadonlySet<string>;
  /**
   * Makes every append fail with this code, now or after this many more appends; undefined ends the outage.
   */
  failAppends(code: ErrorCode | undefined, after?: number): void;
  /** From now on a miss of the status view is refused, as if Kafka were down. */
  failMisses(failing: boolean): void;
  /** From now on a real-time call is appended only once this has resolved. */
  holdCalls(until: Promise<void>): void;
  setPressure(pressure: { soft?: boolean; hard?: boolean }): void;
  /** Decides the answer to a real-time call; undefined: no answer comes. */
  answerCalls(answer: (request: ScoringRequest) => RealtimeReply | undefined): void;
}

export function createInMemoryPorts(): InMemoryPorts {
  const requests: ScoringRequest[] = [];
  const realtime: ScoringRequest[] = [];
  const tasks = new Map<string, TaskStatus>();
  const keys = new Map<string, ApiKey>();
  const sessions = new Map<string, DashboardSession>();
  const reported = new Map<string, Scorer>();
  const events: CustomEvent[] = [];
  const records: EncodedRecord[] = [];
  const batches = new Map<string, IngestBatch>();
  const eventsUnderKeys = new Map<string, string>();
  const waiting = new Map<string, (reply: RealtimeReply | undefined) => void>();
  const expected = new Set<string>();
  const pressure = { soft: false, hard: false };
  let appendFailure: ErrorCode | undefined;
  let appendsBefore = 0;
  let missFailure = false;
  let slowness = Promise.resolve();
  let answer: (request: ScoringRequest) => RealtimeReply | undefined = () => undefined;

  const appendable = async (): Promise<void> => {
    await Promise.resolve();
    if (appendFailure !== undefined && appendsBefore-- <= 0) throw new TelltaleError(appendFailure, {}, {});
  };

  const appendAll = (added: readonly TaskRecords[]): void => {
    for (const { request, queued } of added) {
      tasks.set(queued.task_id, queued);
      requests.push(request);
    }
  };

  const isTaskOf = (workspace: string, id: string): boolean => tasks.get(id)?.workspace === workspace;

  return {
    requests,
    realtime,
    tasks,
    keys,
    sessionRecords: sessions,
    reported,
    events,
    records,
    expected,
    failAppends(code, after = 0) {
      appendFailure = code;
      appendsBefore = after;
    },
    failMisses: (failing) => void (missFailure = failing),
    holdCalls: (until) => void (slowness = until),
    setPressure: (now) => void Object.assign(pressure, now),
    answerCalls: (decide) => void (answer = decide),
    requestLog: {
      pressure,
      async appendTasks(added) {
        await appendable();
        appendAll(added);
      },
      async appendTasksOnce(added, { previousTaskId }): Promise<OnceOutcome> {
        await appendable();
        const { task_id: taskId, request_digest: digest } = added[0].queued;
        const found = tasks.get(taskId) ?? tasks.get(previousTaskId);
        if (found !== undefined)
          return { kind: found.request_digest === digest ? 'repeated' : 'conflict', taskId: found.task_id };
        appendAll(added);
        return { kind: 'accepted', taskId };
      },
      async appendRealtime(request) {
        await slowness;
        await appendable();
        realtime.push(request);
        const reply = answer(request);
        if (reply !== undefined) waiting.get(request.id)?.(reply);
      },
    },
    taskStatusView: {
      retentionMs: 7 * 86_400_000,
      read(taskId, workspace) {
        const task = tasks.get(taskId);
        if (task?.workspace === workspace) return Buffer.from(taskStatusBody(task)).toString('latin1');
        return missFailure
          ? Promise.reject(new TelltaleError('KAFKA_UNREACHABLE', { brokers: 'memory', reason: 'away' }))
          : Promise.resolve(undefined);
      },
    },
    realtimeReplies: {
      instance: 'edge-in-memory',
      expect(id, deadlineMs) {
        expected.add(id);
        return new Promise((resolve) => {
          const settle = (reply: RealtimeReply | undefined): void => {
            clearTimeout(timer);
            waiting.delete(id);
            expected.delete(id);
            resolve(reply);
          };
          const timer = setTimeout(() => settle(undefined), Math.max(0, deadlineMs - Date.now()));
          waiting.set(id, settle);
        });
      },
      forget: (id) => waiting.get(id)?.(undefined),
    },
    ...exampleReads(isTaskOf),
    scorers: { find: (metric) => reported.get(metric) },
    replays: replaysInMemory(),
    accessKeys: accessKeysOf(keys, appendable),
    sessions: sessionsOf(sessions, appendable),
    signIn: undefined,
    eventLog: {
      async append(more) {
        await appendable();
        events.push(...more);
      },
      async appendOnce(more, { id, previousId, digest }) {
        await appendable();
        const before = eventsUnderKeys.get(id) ?? eventsUnderKeys.get(previousId);
        if (before !== undefined) return before === digest;
        eventsUnderKeys.set(id, digest);
        events.push(...more);
        return true;
      },
    },
    keyUses: keyUsesOf(),
    agentReports: agentReportsOf(appendable),
    hotThreads: hotThreadsOf(appendable),
    agentDatasets: agentDatasets({ of: () => jsonCodec() }),
    batchReader: { read: readBatch },
    batchLog: {
      async appendOnce(batch, appended) {
        await appendable();
        const key = batchKey(batch.workspace, batch.spool, batch.dataset);
        const last = batches.get(key);
        if (last !== undefined && last.sequence >= batch.sequence)
          return last.sequence === batch.sequence && last.digest === batch.digest ? last : undefined;
        batches.set(key, batch);
        records.push(...appended);
        return batch;
      },
    },
  };
}

/** A key record of the topic, with the token `tt_<id>_<secret>`. */
export function keyRecord(
  keyId: string,
  secret: string,
  scopes: readonly Scope[],
  changes: Partial<ApiKey> = {},
): ApiKey {
  return {
    key_id: keyId,
    workspace: 'acme',
    name: keyId,
    scopes,
    secret_hash: hashOfSecret(secret),
    created_at: 0,
    expires_at: null,
    revoked_at: null,
    ...changes,
  };
}
