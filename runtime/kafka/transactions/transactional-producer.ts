import type Cluster from 'kafkajs/src/cluster/index.js';
import { TelltaleError, reasonOf } from '../../errors.js';
import { recoverHangingTransaction, type WrittenByTransaction } from './recover-hanging-transaction.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { connectWithRetry } from '../client/cluster.js';
import { electionMs, protocolErrorOf } from '../protocol/kafka-error.js';
import { RecordSender } from '../produce/record-sender.js';
import type { EncodedRecord } from '../produce/appender.js';
import { TransactionCoordinator, type ConsumedOffset } from './transaction-coordinator.js';

/**
 * A producer under one transactional id that has fenced every predecessor. After any rejection the outcome of the
 * transaction is unknown: discard the producer, open another one (which fences this one, and so settles the outcome),
 * and read the committed offset again.
 */
export interface TransactionalProducer {
  /** Appends the records and, with them, commits the offset. Rejects with PRODUCER_FENCED or APPEND_FAILED. */
  commit(records: readonly EncodedRecord[], consumed?: ConsumedOffset): Promise<void>;
  /** For use after PRODUCER_FENCED: fences every other producer under the id, over the same connections. */
  takeBack(): Promise<void>;
  discard(): Promise<void>;
}

/** Longer than a send is retried (`electionMs`). */
const transactionTimeoutMs = 15_000;
const fencedTypes = new Set(['PRODUCER_FENCED', 'INVALID_PRODUCER_EPOCH', 'INVALID_PRODUCER_ID_MAPPING']);

/** `written` is what the id's transactions write to: a hanging transaction is recovered there. */
export async function openTransactionalProducer(
  access: KafkaAccess,
  id: string,
  written?: WrittenByTransaction,
): Promise<TransactionalProducer> {
  try {
    const cluster = await connectWithRetry(id, access);
    const connection = { cluster, access, id, written, closed: new AbortController() };
    try {
      return producerOf(connection, await fence(connection));
    } catch (error) {
      void disconnect(connection);
      throw error;
    }
  } catch (cause) {
    throw failure(id, cause);
  }
}

interface Connection {
  readonly cluster: Cluster;
  readonly access: KafkaAccess;
  readonly id: string;
  readonly written: WrittenByTransaction | undefined;
  /** Aborted once the producer is discarded. */
  readonly closed: AbortController;
}

const disconnect = ({ cluster }: Connection): Promise<void> => cluster.disconnect().catch(() => undefined);

/** The coordinator and sender in use until another producer fences them. */
interface Turn {
  readonly coordinator: TransactionCoordinator;
  readonly sender: RecordSender;
}

/** Fences every other producer under the id, once its last transaction has all its ends. */
export async function fence(connection: Connection): Promise<Turn> {
  const { cluster, access, id, closed } = connection;
  // Before each InitProducerId, because that makes the coordinator forget how the last transaction ended. The
  // first InitProducerId may only abort that transaction.
  const recover = (): Promise<void> => endHangingTransaction(connection);
  await recover();
  const coordinator = await TransactionCoordinator.fence(cluster, id, transactionTimeoutMs, {
    closed: closed.signal,
    recover,
  });
  const { identity, admit } = coordinator;
  return { coordinator, sender: new RecordSender(cluster, identity, access.logger, closed.signal, admit) };
}

function producerOf(connection: Connection, first: Turn): TransactionalProducer {
  const { cluster, id, closed } = connection;
  let turn = first;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      throw failure(id, cause);
    } finally {
      // A request that was in flight at `discard` has reconnected.
      if (closed.signal.aborted) await disconnect(connection);
    }
  };
  return {
    commit: (records, consumed) =>
      attempt(async () => {
        const { coordinator, sender } = turn;
        const deadline = performance.now() + electionMs;
        for (const part of inParts(records)) await sender.send(part, deadline - performance.now());
        if (consumed !== undefined) await coordinator.commitOffset(consumed);
        await coordinator.commit();
      }),
    takeBack: () =>
      attempt(async () => {
        // Leaders may have moved, and a former leader reports nothing about a partition's transactions.
        await cluster.refreshMetadata();
        turn.coordinator.leave();
        turn = await fence(connection);
      }),
    async discard() {
      closed.abort();
      await disconnect(connection);
    },
  };
}

async function endHangingTransaction(connection: Connection): Promise<void> {
  const { cluster, access, id, written, closed } = connection;
  if (written === undefined) return;
  const refused = (what: string): void => tellRefusal(access, what);
  const ended = await recoverHangingTransaction(cluster, id, written, refused, closed.signal).finally(() =>
    closed.signal.aborted ? disconnect(connection) : undefined,
  );
  if (ended === undefined) return;
  access.logger.warn(
    { event: 'hanging-transaction-recovered', transactionalId: id, ended },
    'ended a hanging transaction: Kafka had not written an end marker of the last one',
  );
}

const loggedRefusals = new WeakMap<KafkaAccess, Set<string>>();

/** Logged once for each refusal, because there is a producer for every partition. */
function tellRefusal(access: KafkaAccess, what: string): void {
  const told = loggedRefusals.get(access) ?? new Set<string>();
  if (told.has(what)) return;
  loggedRefusals.set(access, told.add(what));
  access.logger.warn(
    { event: 'open-transactions-unknown', refused: what },
    'Kafka does not list its open transactions (an ACL might be missing, or it does not support the request), so a hanging one would not be found and ended',
  );
}

/**
 * The size of one request: brokers refuse a batch of a partition over `max.message.bytes`, and a send is never split.
 */
const partBytes = 1024 * 1024;

/** The records in their order, split into parts that fit into one request; a larger record goes alone. */
export function inParts(records: readonly EncodedRecord[]): readonly (readonly EncodedRecord[])[] {
  const parts: EncodedRecord[][] = [];
  let room = 0;
  for (const record of records) {
    const bytes = (record.value?.length ?? 0) + (record.key?.length ?? 0);
    if (parts.length === 0 || bytes > room) {
      parts.push([]);
      room = partBytes;
    }
    parts.at(-1)?.push(record);
    room -= bytes;
  }
  return parts;
}

function failure(id: string, cause: unknown): TelltaleError {
  return fencedTypes.has(protocolErrorOf(cause))
    ? new TelltaleError('PRODUCER_FENCED', { id }, { cause })
    : new TelltaleError(
        'APPEND_FAILED',
        { topic: `the transaction of ${id}`, reason: reasonOf(cause) },
        { cause },
      );
}
