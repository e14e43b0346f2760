import { randomUUID } from 'node:crypto';
import { Backoff, pause } from '../backoff.js';
import type { Codec } from '../codec.js';
import { TelltaleError } from '../errors.js';
import type { KafkaAccess } from '../kafka/client/kafka-access.js';
import { readPartition } from '../kafka/consume/read-log.js';
import type { EncodedRecord } from '../kafka/produce/appender.js';
import {
  openTransactionalProducer,
  type TransactionalProducer,
} from '../kafka/transactions/transactional-producer.js';
import type { Replay } from '../../schemas/generated/replay.js';
import { replays } from '../../topics/replays.js';

export interface ReplayLogOptions {
  readonly access: KafkaAccess;
  readonly codec: Codec<Replay>;
  /** The topics that replays append to, besides their own. */
  readonly writes: readonly string[];
  /** The person who types the command. */
  readonly operator: string;
}

/** The state of a replay as commands write it; the log adds the rest. */
export type ReplayState = Omit<Replay, 'updated_at' | 'updated_by' | 'command_id' | 'sequence'>;

/** The current state of every replay: for display, not to act on. */
export async function readReplays(
  access: KafkaAccess,
  codec: Codec<Replay>,
): Promise<ReadonlyMap<string, Replay>> {
  const { signal } = new AbortController();
  const { values } = await readPartition({ topic: replays, codec, partition: 0, kafka: access, signal });
  return values;
}

/**
 * A replay that this command works on. A replay has one transactional id. Acquiring the replay fences the
 * command that worked on it and waits until its transaction has ended. Only then is the state read. The
 * records of a replay and its state are in one transaction, so neither is ever ahead of the other, whichever
 * command is killed. A command that pauses or cancels a replay need not reach the one that works on it: that
 * one can no longer commit, and then reads why.
 */
export class TakenReplay {
  private constructor(
    private readonly options: ReplayLogOptions,
    private readonly id: string,
    private producer: TransactionalProducer,
    private current: Replay | undefined,
  ) {}

  private readonly commandId = randomUUID();

  /** A name unique to this command, for its gates and shadows. */
  get owner(): string {
    return this.commandId.slice(0, 8);
  }

  /**
   * `begin` returns the state to write in place of the one found, or throws if this command may not acquire
   * it.
   */
  static async take(
    options: ReplayLogOptions,
    id: string,
    begin: (found: Replay | undefined) => ReplayState,
  ): Promise<TakenReplay> {
    for (let attempt = 1; ; attempt++) {
      const { producer, found } = await open(options, id);
      const taken = new TakenReplay(options, id, producer, found);
      let state: ReplayState | undefined;
      try {
        state = begin(found);
        await taken.commit([], state);
        return taken;
      } catch (error) {
        await taken.release();
        // The fenced command acquired it again before this command had written anything: this command tries again.
        const isAgain = state !== undefined && isTaken(error);
        if (!isAgain || attempt === takeAttempts) throw error;
      }
    }
  }

  get state(): Replay {
    if (this.current === undefined) throw new RangeError('a replay that was taken has a state');
    return this.current;
  }

  /**
   * Appends the records together with the new state, once; waits out an outage. Rejects with REPLAY_TAKEN if
   * another command has the replay now.
   */
  async commit(records: readonly EncodedRecord[], state: ReplayState): Promise<void> {
    const next: Replay = {
      ...state,
      updated_at: Date.now() * 1_000,
      updated_by: this.options.operator,
      command_id: this.commandId,
      sequence: (this.current?.sequence ?? 0) + 1,
    };
    const all = [...records, { topic: replays.name, key: this.id, value: this.options.codec.encode(next) }];
    const backoff = new Backoff(100, 5_000);
    for (;;) {
      try {
        await this.producer.commit(all);
        this.current = next;
        return;
      } catch (error) {
        if (!isPassing(error)) throw error;
        // The command that fenced this one has not written its state yet: opening a producer at once would
        // fence it.
        if (isFenced(error)) await pause(fencedPauseMs);
        if (await this.isCommitted(next, backoff)) return;
      }
    }
  }

  async release(): Promise<void> {
    await this.producer.discard();
  }

  /** After a failure of unknown outcome: finds out, as its own successor, whether the transaction was committed. */
  private async isCommitted(next: Replay, backoff: Backoff): Promise<boolean> {
    await this.producer.discard();
    for (;;) {
      await pause(backoff.next());
      try {
        const { producer, found } = await open(this.options, this.id);
        this.producer = producer;
        const isOwn = found === undefined || found.command_id === this.commandId;
        const isBefore = found?.sequence === this.current?.sequence;
        if (!isOwn && !isBefore) {
          const { status, updated_by: by } = found;
          throw new TelltaleError('REPLAY_TAKEN', { id: this.id, status, by });
        }
        if (found?.sequence !== next.sequence || !isOwn) return false;
        this.current = next;
        return true;
      } catch (error) {
        if (!isPassing(error)) throw error;
      }
    }
  }
}

async function open(
  { access, codec, writes }: ReplayLogOptions,
  id: string,
): Promise<{ readonly producer: TransactionalProducer; readonly found: Replay | undefined }> {
  const topics = [replays.name, ...writes];
  const producer = await openTransactionalProducer(access, `telltale.replay.${id}`, { topics });
  try {
    return { producer, found: (await readReplays(access, codec)).get(id) };
  } catch (error) {
    await producer.discard();
    throw error;
  }
}

const takeAttempts = 10;
const fencedPauseMs = 2_000;

const passing: ReadonlySet<string> = new Set([
  'PRODUCER_FENCED',
  'APPEND_FAILED',
  'KAFKA_UNREACHABLE',
  'REGISTRY_UNREACHABLE',
]);

const codeOf = (error: unknown): string => (error instanceof TelltaleError ? error.code : '');
const isPassing = (error: unknown): boolean => passing.has(codeOf(error));
const isFenced = (error: unknown): boolean => codeOf(error) === 'PRODUCER_FENCED';
const isTaken = (error: unknown): boolean => codeOf(error) === 'REPLAY_TAKEN';
