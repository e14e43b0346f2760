import { reportKey, type AgentReports } from '../../http-edge/agents/agent-reports.js';
import { batchKey } from '../../http-edge/agent/batch-id.js';
import { agentDatasets } from '../../http-edge/agent/datasets.js';
import { readBatch } from '../../http-edge/agent/read-batch.js';
import type { ClusterOf, ClusterReader } from '../../http-edge/clusters/cluster-reader.js';
import type { HotThreadsLog } from '../../http-edge/hot-threads/hot-threads-log.js';
import { laterState, type Sessions } from '../../http-edge/dashboard/sessions.js';
import type { KeyUses } from '../../http-edge/keys/key-uses.js';
import { hashOfSecret } from '../../http-edge/keys/key-format.js';
import type { Scope } from '../../http-edge/keys/scopes.js';
import type {
  AccessKeys,
  EdgePorts,
  OnceOutcome,
  RealtimeReply,
  TaskRecords,
} from '../../http-edge/ports.js';
import type { ErrorCode } from '../../runtime/errors.js';
import { TelltaleError } from '../../runtime/errors.js';
import type { AgentReport } from '../../schemas/generated/agent-report.js';
import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { DashboardSession } from '../../schemas/generated/dashboard-session.js';
import type { HotThreads } from '../../schemas/generated/hot-threads.js';
import type { Scorer } from '../../schemas/generated/scorer.js';
import type { EncodedRecord } from '../../runtime/kafka/produce/records.js';
import type { CustomEvent } from '../../schemas/generated/custom-event.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import type { ScoringRequest } from '../../schemas/generated/scoring-request.js';
import type { TaskStatus } from '../../schemas/generated/task-status.js';
import { clusterExamples, exampleClusterUuid } from '../../schemas/openapi/cluster-examples.js';
import { clusterInsightExamples } from '../../schemas/openapi/cluster-insight-paths.js';
import { deadLetterExample } from '../../schemas/openapi/dead-letter-paths.js';
import { foundExample } from '../../schemas/openapi/find-paths.js';
import { pipelineExample } from '../../schemas/openapi/pipeline-paths.js';
import { settingsExample } from '../../schemas/openapi/settings-paths.js';
import { resultExamples } from '../../schemas/openapi/result-paths.js';
import { hopTimesExample } from '../../schemas/openapi/hop-paths.js';
import { trendExample } from '../../schemas/openapi/trend-paths.js';
import { eventReadExamples } from '../../schemas/openapi/event-read-paths.js';
import { applicationExamples } from '../../schemas/openapi/application-paths.js';
import { exampleTraceId, traceExamples } from '../../schemas/openapi/trace-paths.js';
import { taskStatusBody } from '../../schemas/task-status-body.js';
import { replaysInMemory } from './replays-in-memory.js';
import { jsonCodec } from './json-codec.js';

/** The world behind the edge, in memory: appended work stays queued unless a test moves it on. */
export interface InMemoryPorts extends EdgePorts {
  readonly requests: ScoringRequest[];
  readonly realtime: ScoringRequest[];
  readonly tasks: Map<string, TaskStatus>;
  readonly keys: Map<string, ApiKey>;
  readonly sessionRecords: Map<string, DashboardSession>;
  /** The scorers that processors have reported; the other metrics are unknown. */
  readonly reported: Map<string, Scorer>;
  readonly events: CustomEvent[];
  /** The records that agents' batches became. */
  readonly records: EncodedRecord[];
  /** The ids of calls that wait for an answer. */
  readonly expected: ReadonlySet<string>;
  /**
   * From now on, or after this many more appends, every append is refused with this code; undefined ends the outage.
   */
  failAppends(code: ErrorCode | undefined, after?: number): void;
  /** From now on a miss of the status view is refused, as if Kafka were away. */
  failMisses(failing: boolean): void;
  /** From now on a real-time call is only appended once this has resolved. */
  holdCalls(until: Promise<void>): void;
  setPressure(pressure: { soft?: boolean; hard?: boolean }): void;
  /** Decides the answer of a real-time call; undefined: no answer comes. */
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
          ? Promise.reject(new TelltaleError('KAFKA_UNREACHABLE', { brokers: 'memory' }))
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
    scorers: { find: (metric) => reported.get(metric) },
    replays: replaysInMemory(),
    deadLetters: {
      read: () =>
        Promise.resolve({ groups: deadLetterExample.dead_letters, newest: deadLetterExample.newest }),
    },
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
    clusters: exampleClusters(),
    results: {
      list: () => Promise.resolve(resultExamples.list as object),
      trends: () => Promise.resolve(trendExample as object),
      hopTimes: () => Promise.resolve(hopTimesExample as object),
      one: (workspace, id) =>
        Promise.resolve(
          tasks.get(id)?.workspace === workspace ? { ...(resultExamples.one as object), id } : undefined,
        ),
    },
    pipeline: { read: () => Promise.resolve(pipelineExample as object) },
    storedEvents: {
      metrics: () => Promise.resolve(eventReadExamples.metrics as object),
      series: () => Promise.resolve(eventReadExamples.series as object),
    },
    applications: {
      list: () => Promise.resolve(applicationExamples.list as object),
      operations: () => Promise.resolve(applicationExamples.operations as object),
      calls: () => Promise.resolve(applicationExamples.calls as object),
    },
    traces: {
      search: () => Promise.resolve(traceExamples.search as object),
      durations: () => Promise.resolve(traceExamples.durations as object),
      one: (_, trace) =>
        Promise.resolve(trace === exampleTraceId ? (traceExamples.one as object) : undefined),
      otlp: (_, trace) =>
        Promise.resolve(trace === exampleTraceId ? (traceExamples.otlp as object) : undefined),
    },
    finder: {
      find: (id, workspace) =>
        Promise.resolve(
          tasks.get(id)?.workspace === workspace
            ? { ...foundExample, id }
            : { outcome: 'not seen', detail: 'Nothing.', not_seen_since: null, complete: true },
        ),
    },
    keyUses: keyUsesOf(),
    retention: {
      topics: () => Promise.resolve(settingsExample.topics.kept),
      tables: () => Promise.reject(new TelltaleError('CLICKHOUSE_UNREACHABLE', { url: 'memory' })),
    },
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

/** One cluster, as in the document's examples. */
function exampleClusters(): ClusterReader {
  const examples = { ...clusterExamples, ...clusterInsightExamples };
  const of = async ({ uuid }: ClusterOf, name: string): Promise<object | undefined> => {
    await Promise.resolve();
    return uuid === exampleClusterUuid ? (examples[name] as object) : undefined;
  };
  return {
    clusters: () => Promise.resolve(clusterExamples['clusters'] as object),
    cluster: (cluster) => of(cluster, 'cluster'),
    health: (cluster) => of(cluster, 'health'),
    list: of,
    dataStreams: (cluster) => of(cluster, 'data-streams'),
    unassigned: (cluster) => of(cluster, 'unassigned'),
    timeline: (cluster) => of(cluster, 'timeline'),
    series: (cluster) => of(cluster, 'series'),
    slowOperations: (cluster) => of(cluster, 'slow-operations'),
    slowSummary: (cluster) => of(cluster, 'slow-operations/summary'),
  };
}

function accessKeysOf(keys: Map<string, ApiKey>, appendable: () => Promise<void>): AccessKeys {
  return {
    find: (keyId) => keys.get(keyId),
    list: (workspace) =>
      [...keys.values()].filter((key) => workspace === undefined || key.workspace === workspace),
    async put(key) {
      await appendable();
      keys.set(key.key_id, key);
    },
  };
}

function keyUsesOf(): KeyUses {
  const last = new Map<string, number>();
  return { note: (id, at) => void last.set(id, at), last: (id) => last.get(id) ?? null };
}

function agentReportsOf(appendable: () => Promise<void>): AgentReports {
  const reports = new Map<string, AgentReport>();
  return {
    list: (workspace) => [...reports.values()].filter((report) => report.workspace === workspace),
    sizeBeside: (report, host) =>
      [...reports]
        .filter(([key, { workspace }]) => workspace === report.workspace && key !== reportKey(report, host))
        .reduce((sum, [, { report: text }]) => sum + text.length, 0),
    async put(report, host) {
      await appendable();
      reports.set(reportKey(report, host), report);
    },
  };
}

function hotThreadsOf(appendable: () => Promise<void>): HotThreadsLog {
  const questions = new Map<string, HotThreads>();
  return {
    list: (workspace) => [...questions.values()].filter((one) => one.workspace === workspace),
    find: (workspace, uuid) => Promise.resolve(questions.get(`${workspace}/${uuid}`)),
    async put(record) {
      await appendable();
      questions.set(`${record.workspace}/${record.cluster_uuid}`, record);
    },
  };
}

function sessionsOf(records: Map<string, DashboardSession>, appendable: () => Promise<void>): Sessions {
  return {
    find: (id) => records.get(id),
    list: (workspace) => [...records.values()].filter((session) => session.workspace === workspace),
    upToDate: () => Promise.resolve(),
    async put(session) {
      await appendable();
      const earlier = records.get(session.id);
      records.set(session.id, earlier === undefined ? session : laterState(earlier, session));
    },
  };
}

/** A key as the topic holds it, whose token is `tt_<id>_<secret>`. */
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
