import protocolErrors from 'kafkajs/src/protocol/error.js';
import { TelltaleError, reasonOf } from '../../errors.js';

/**
 * The name of Kafka's error, such as `UNKNOWN_TOPIC_OR_PARTITION`, even if kafkajs has wrapped it; empty for
 * any other error.
 */
export function protocolErrorOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { type } = at as { readonly type?: unknown };
    if (typeof type === 'string') return type;
  }
  return '';
}

/** The error for a Kafka error code, as kafkajs throws it: callers see whether a retry may succeed. */
export const kafkaError = (code: number): Error => protocolErrors.createErrorFromCode(code);

/** Whether it is an error of Kafka, or a failed connection to Kafka. */
export function isKafkaError(error: unknown): error is Error {
  return error instanceof Error && error.name.startsWith('KafkaJS');
}

/**
 * Whether the same request may succeed later: a leader or coordinator is moving, replicas are missing, or a
 * broker or the endpoint of SASL tokens is briefly unavailable.
 */
export function isPassing(error: unknown): boolean {
  const type = protocolErrorOf(error);
  if (type !== '') return passing.has(type);
  if (error instanceof TelltaleError) return error.code === 'KAFKA_TOKEN_REFUSED';
  return isKafkaError(error) && !error.name.includes('SASL');
}

const passing = new Set([
  'BROKER_NOT_AVAILABLE',
  'CONCURRENT_TRANSACTIONS',
  'CORRUPT_MESSAGE',
  'FENCED_LEADER_EPOCH',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'KAFKA_STORAGE_ERROR',
  'LEADER_NOT_AVAILABLE',
  'LISTENER_NOT_FOUND',
  'NETWORK_EXCEPTION',
  'NOT_COORDINATOR_FOR_GROUP',
  'NOT_ENOUGH_REPLICAS',
  'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  'NOT_LEADER_FOR_PARTITION',
  'REPLICA_NOT_AVAILABLE',
  'REQUEST_TIMED_OUT',
  'UNKNOWN_LEADER_EPOCH',
  'UNKNOWN_TOPIC_OR_PARTITION',
]);

/**
 * Longer than the election of a leader or a coordinator takes: by default, a broker that died silently counts
 * as alive for nine seconds.
 */
export const electionMs = 12_000;

interface Patience {
  /** `electionMs` unless given. */
  readonly retryForMs?: number;
  /** Waits, and prepares the next try. */
  readonly beforeNext: (error: unknown) => Promise<void>;
  /** The least number of tries, however long one takes; 1 by default. */
  readonly leastTries?: number;
  /** Nothing is tried after it is aborted. */
  readonly closed?: AbortSignal | undefined;
}

/** Retries after passing errors, and throws the last one after `retryForMs`. Throws any other at once. */
export async function tryWhilePassing<Answer>(
  attempt: () => Promise<Answer>,
  { retryForMs = electionMs, beforeNext, leastTries = 1, closed }: Patience,
): Promise<Answer> {
  const deadline = performance.now() + retryForMs;
  for (let tries = 1; ; tries++) {
    closed?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error) || (tries >= leastTries && performance.now() > deadline)) throw error;
      await beforeNext(error);
    }
  }
}

/**
 * The error that ends the process, for an error that nothing outside this process explains: a retry would
 * only repeat a bug. Undefined for an outage, which is waited for, and for a partition that was revoked.
 */
export function bugIn(stage: string, error: unknown): TelltaleError | undefined {
  if (error instanceof TelltaleError) return error.code === 'STEP_FAILED' ? error : undefined;
  if (isKafkaError(error) || (error instanceof Error && error.name === 'PartitionLost')) return undefined;
  return new TelltaleError('STEP_FAILED', { stage, reason: reasonOf(error) }, { cause: error });
}
