import type { ByteString } from '../runtime/http/exchange.js';
import type { ApiKey } from '../schemas/generated/api-key.js';
import type { Scorer } from '../schemas/generated/scorer.js';
import type { EncodedRecord } from '../runtime/kafka/produce/appender.js';
import type { CustomEvent } from '../schemas/generated/custom-event.js';
import type { IngestBatch } from '../schemas/generated/ingest-batch.js';
import type { ScoringRequest } from '../schemas/generated/scoring-request.js';
import type { TaskStatus } from '../schemas/generated/task-status.js';
import type { AgentReports } from './agent-reports/agent-reports.js';
import type { HotThreadsLog } from './hot-threads/hot-threads-log.js';
import type { BatchReader } from './agent-batches/batch-reader.js';
import type { AgentDataset } from './agent-batches/dataset.js';
import type { ClusterReader } from './clusters/cluster-reader.js';
import type { NewestReader } from './newest/newest-reader.js';
import type { Finder } from './find/finder.js';
import type { PipelineReader } from './pipeline/pipeline-reader.js';
import type { ResultReader } from './results/result-reader.js';
import type { ReplayState } from '../runtime/replays/replay-log.js';
import type { ReplayedSink } from '../runtime/replays/table/table-replay-request.js';
import type { ReplayRequest } from './replays/replay-request.js';
import type { FoundDeadLetter } from '../runtime/dead-letters/dead-letter.js';
import type { DecidedLetters } from '../runtime/dead-letters/decide-letters.js';
import type { DeadLetterFilter } from '../runtime/dead-letters/read-dead-letters.js';
import type { DeadLetterDecision } from '../schemas/generated/dead-letter-decision.js';
import type { LetterGroup } from '../runtime/dead-letters/letter-groups.js';
import type { EventReader } from './events/event-reader.js';
import type { ApplicationReader } from './applications/application-reader.js';
import type { TraceReader } from './traces/trace-reader.js';
import type { KeyUses } from './keys/key-uses.js';
import type { RetentionReader } from './settings/retention.js';
import type { OidcSignIn } from './dashboard/oidc/oidc-sign-in.js';
import type { Sessions } from './dashboard/sessions.js';

/**
 * What the edge needs from the outside. The composition root passes real ports; tests of the HTTP layer pass in-memory
 * ones.
 */
export interface EdgePorts {
  readonly requestLog: RequestLog;
  readonly taskStatusView: TaskStatusView;
  readonly realtimeReplies: RealtimeReplies;
  readonly accessKeys: AccessKeys;
  /** When keys were last used. */
  readonly keyUses: KeyUses;
  readonly sessions: Sessions;
  /** Sign-in to the dashboard by OpenID Connect; undefined if it is not configured. */
  readonly signIn: OidcSignIn | undefined;
  readonly scorers: Scorers;
  readonly eventLog: EventLog;
  /** What agents may send. */
  readonly agentDatasets: readonly AgentDataset[];
  readonly batchReader: Pick<BatchReader, 'read'>;
  readonly batchLog: BatchLog;
  /** What agents report about themselves. */
  readonly agentReports: AgentReports;
  /** The questions to agents about their clusters, and the answers. */
  readonly hotThreads: HotThreadsLog;
  /** Stored data of search clusters. */
  readonly clusters: ClusterReader;
  /** Stored results of scored prompts. */
  readonly results: ResultReader;
  readonly deadLetters: DeadLetters;
  readonly replays: Replays;
  /** How far the stages are behind. */
  readonly pipeline: PipelineReader;
  /** The age of the newest stored data. */
  readonly newest: NewestReader;
  readonly storedEvents: EventReader;
  /** How applications perform, by their spans. */
  readonly applications: ApplicationReader;
  readonly traces: TraceReader;
  /** How long data is kept. */
  readonly retention: RetentionReader;
  /** Finds where something is, by its id. */
  readonly finder: Finder;
}

/**
 * Appends work. Rejects with BUFFER_FULL, APPEND_TIMED_OUT or APPEND_FAILED (see runtime/kafka/produce/appender.ts).
 */
export interface RequestLog {
  /** Resolves once the queued statuses and then the requests of all these tasks are durable. */
  appendTasks(tasks: readonly TaskRecords[]): Promise<void>;
  /**
   * The same under an Idempotency-Key: all of them or none, decided once among all edges. The first task stands for
   * all, and its `queued.request_digest` is the digest of the body.
   */
  appendTasksOnce(
    tasks: readonly [TaskRecords, ...TaskRecords[]],
    identity: OnceIdentity,
  ): Promise<OnceOutcome>;
  appendRealtime(request: ScoringRequest): Promise<void>;
  readonly pressure: { readonly soft: boolean; readonly hard: boolean };
}

/** The records of one task. */
export interface TaskRecords {
  readonly request: ScoringRequest;
  readonly queued: TaskStatus;
}

/** What requests under one Idempotency-Key have in common. A task id is derived from workspace, key and day. */
export interface OnceIdentity {
  /** The same for all requests under the key on all days: the owner of the group decides. */
  readonly group: string;
  /** The id that the key had the day before: a key is valid for a day from its acceptance. */
  readonly previousTaskId: string;
}

export type OnceOutcome =
  | { readonly kind: 'accepted'; readonly taskId: string }
  /** The key was used for the same body: its task. */
  | { readonly kind: 'repeated'; readonly taskId: string }
  /** The key was used for another body. */
  | { readonly kind: 'conflict'; readonly taskId: string };

/** The compacted status topic, as this edge has read it. */
export interface TaskStatusView {
  /** How long after its acceptance a task is known. */
  readonly retentionMs: number;
  /**
   * The status as the bytes of its JSON, ready to be sent, or undefined if the workspace has no such task. A
   * miss waits until this edge has read the topic up to its end at the time of the call. Rejects with
   * KAFKA_UNREACHABLE if that takes too long.
   */
  read(taskId: string, workspace: string): ByteString | Promise<ByteString | undefined>;
}

/** Answers to real-time calls. */
interface RealtimeReplies {
  /** This edge's name in `reply_to`. */
  readonly instance: string;
  /** Registers interest before the request is appended; `undefined` once `deadlineMs` (since 1970) has passed. */
  expect(id: string, deadlineMs: number): Promise<RealtimeReply | undefined>;
  /** Removes the interest, because the client disconnected or the append failed. */
  forget(id: string): void;
}

/** `result` is the result object as JSON text; `error` says why there is none. Exactly one of them is set. */
export interface RealtimeReply {
  readonly result: string | null;
  readonly error: string | null;
}

/** The compacted key topic, all of it in memory, at most a second behind. VIEW_NOT_READ until it is read. */
export interface AccessKeys {
  find(keyId: string): ApiKey | undefined;
  list(workspace?: string): readonly ApiKey[];
  /** Appends the new state of a key; resolves once it is durable. */
  put(key: ApiKey): Promise<void>;
  /** Removes a key that has ended. */
  remove(keyId: string): Promise<void>;
}

/** What processors have reported about each metric. */
export interface Scorers {
  find(metric: string): Scorer | undefined;
}

/** Custom events that applications send themselves. Rejects with BUFFER_FULL, APPEND_TIMED_OUT or APPEND_FAILED. */
export interface EventLog {
  /** Resolves once all of them are durable. */
  append(events: readonly CustomEvent[]): Promise<void>;
  /** The same under an Idempotency-Key, once among all edges; false if the key was used for other events. */
  appendOnce(events: readonly CustomEvent[], identity: EventsIdentity): Promise<boolean>;
}

/** What requests with events under one Idempotency-Key share. The digest distinguishes other events. */
interface EventsIdentity {
  readonly workspace: string;
  /** The same for all requests under the key on all days: the owner of the group decides. */
  readonly group: string;
  /** The key's UUIDs of today and of the day before. */
  readonly id: string;
  readonly previousId: string;
  readonly digest: string;
  /** Microseconds since 1970. */
  readonly receivedAt: number;
}

/** Batches of agents. Rejects with BUFFER_FULL, APPEND_TIMED_OUT or APPEND_FAILED. */
export interface BatchLog {
  /**
   * Appends the records once among all edges, and returns the batch as it was stored: now, or when it first
   * arrived. Undefined if the spool is further already, or has used this number for another batch.
   */
  appendOnce(batch: IngestBatch, records: readonly EncodedRecord[]): Promise<IngestBatch | undefined>;
}

/** The records of the whole pipeline that can't be processed. Rejects with KAFKA_UNREACHABLE. */
export interface DeadLetters {
  read(): Promise<ReadDeadLetters>;
  /**
   * Sends the open letters of the filter back to the topics that they came from, each once. Rejects with
   * APPEND_TIMED_OUT or APPEND_FAILED; the same request can then be repeated.
   */
  replay(
    filter: DeadLetterFilter,
    by: Pick<DeadLetterDecision, 'reason' | 'decided_by'>,
  ): Promise<DecidedLetters>;
}

export interface ReadDeadLetters {
  /** Those with the most open letters first. */
  readonly groups: readonly LetterGroup[];
  /** The newest letters without a decision, newest first. */
  readonly newest: readonly ListedLetter[];
}

/** A dead letter with its reason, and without the content of its record. */
export type ListedLetter = Pick<
  FoundDeadLetter,
  'id' | 'stage' | 'code' | 'reason' | 'topic' | 'partition' | 'offset' | 'attempts'
> & { readonly at: string };

/** Replays: records that are processed again. */
export interface Replays {
  /** The imports and replays of a workspace, and those of tables if it is the installation's workspace. */
  list(workspace: string): readonly ReplayState[];
  /** The sinks whose tables can be rebuilt. */
  readonly sinks: readonly ReplayedSink[];
  /**
   * Asks the processors to score again, or the sinks to rebuild a table, and returns the state of the replay.
   * That is an earlier replay if the same was requested before and has not ended. Rejects with
   * REPLAY_DIFFERENT while another replay of the table has not ended. Rejects with APPEND_TIMED_OUT or
   * KAFKA_UNREACHABLE; the same request can then be repeated.
   */
  ask(request: ReplayRequest): Promise<ReplayState>;
}
