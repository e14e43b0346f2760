import { Backoff, pause } from '../backoff.js';
import type { Codec } from '../codec.js';
import { TelltaleError } from '../errors.js';
import type { KafkaAccess } from '../kafka/client/kafka-access.js';
import type { EncodedRecord } from '../kafka/produce/appender.js';
import {
  openTransactionalProducer,
  type TransactionalProducer,
} from '../kafka/transactions/transactional-producer.js';
import type { DeadLetterDecision } from '../../schemas/generated/dead-letter-decision.js';
import { deadLetterDecisions, deadLetterHeaders } from '../../topics/dead-letters.js';
import type { Topic } from '../../topics/topic.js';
import type { FoundDeadLetter } from './dead-letter.js';
import { readDecisions } from './read-decisions.js';

export interface DecisionsOptions {
  readonly access: KafkaAccess;
  readonly codec: Codec<DeadLetterDecision>;
  /** The topics that letters came from, and may be replayed to. */
  readonly sources: readonly Topic[];
}

export type DecisionRequest = Omit<DeadLetterDecision, 'id' | 'decided_at'>;

/** The outcome for the letters that were passed to `decide`. */
interface Decided {
  readonly done: readonly FoundDeadLetter[];
  /** Decided before, by this or by another command. */
  readonly before: readonly DeadLetterDecision[];
}

/** The header of a replayed record: the id of the dead letter that it was. */
const replayedFromHeader = 'telltale-replayed-from';

const transactionalId = 'telltale.dead-letters';
const mostTries = 8;
const portion = { letters: 200, bytes: 4 * 1024 * 1024 } as const;

/**
 * Decides about dead letters, each once. The replayed record and the decision are in one transaction. Every
 * command, and every edge, uses the same transactional id. Opening a producer under it fences all others and
 * waits until their transactions have ended. Only then are the decisions read. While this command is not
 * fenced, no other can decide. A command that was fenced, or killed at any line, finds what it has committed
 * in the decisions and does not repeat it.
 */
export class Decisions {
  private producer: TransactionalProducer | undefined;
  private known = new Map<string, DeadLetterDecision>();

  constructor(private readonly options: DecisionsOptions) {}

  /** The decisions as they are now: for display, not to act on. */
  read(): Promise<ReadonlyMap<string, DeadLetterDecision>> {
    return readDecisions(this.options.access, this.options.codec);
  }

  async decide(letters: readonly FoundDeadLetter[], request: DecisionRequest): Promise<Decided> {
    const done: FoundDeadLetter[] = [];
    const before: DeadLetterDecision[] = [];
    for (const part of inPortions(letters)) {
      const decided = await this.decidePortion(part, request);
      done.push(...decided.done);
      before.push(...decided.before);
    }
    return { done, before };
  }

  async close(): Promise<void> {
    await this.producer?.discard();
    this.producer = undefined;
  }

  private async decidePortion(
    letters: readonly FoundDeadLetter[],
    request: DecisionRequest,
  ): Promise<Decided> {
    const backoff = new Backoff(100, 5_000);
    for (let tried = 1; ; tried++) {
      try {
        return await this.tryToDecide(letters, request);
      } catch (error) {
        await this.close();
        if (!isPassing(error) || tried === mostTries) throw error;
        // Two commands at once fence each other in turn: the pauses let one of them finish its transaction.
        await pause(backoff.next());
      }
    }
  }

  private async tryToDecide(letters: readonly FoundDeadLetter[], request: DecisionRequest): Promise<Decided> {
    if (this.producer === undefined) {
      const { access, sources } = this.options;
      const topics = [deadLetterDecisions, ...sources].map(({ name }) => name);
      this.producer = await openTransactionalProducer(access, transactionalId, { topics });
      this.known = new Map(await this.read());
    }
    const open = letters.filter(({ id }) => !this.known.has(id));
    const decided_at = Date.now() * 1_000;
    const decisions = open.map(({ id }): DeadLetterDecision => ({ ...request, id, decided_at }));
    if (open.length > 0) {
      const back = request.decision === 'replayed' ? open.map(recordOf) : [];
      await this.producer.commit([...back, ...decisions.map((decision) => this.encoded(decision))]);
    }
    for (const decision of decisions) this.known.set(decision.id, decision);
    // A decision by an earlier try of this command, whose response was lost, is its own.
    const own = (letter: FoundDeadLetter): boolean =>
      this.known.get(letter.id)?.command_id === request.command_id;
    return {
      done: letters.filter(own),
      before: letters.flatMap((letter) => (own(letter) ? [] : (this.known.get(letter.id) ?? []))),
    };
  }

  private encoded(decision: DeadLetterDecision): EncodedRecord {
    const value = this.options.codec.encode(decision);
    return { topic: deadLetterDecisions.name, key: decision.id, value };
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof TelltaleError && (error.code === 'PRODUCER_FENCED' || error.code === 'APPEND_FAILED');

/** The record as it was, in its partition: its stage reads it as a new one. */
function recordOf({ id, topic, partition, key, value, attempts }: FoundDeadLetter): EncodedRecord {
  const headers = { [replayedFromHeader]: id, [deadLetterHeaders.attempts]: String(attempts) };
  return { topic, partition, key, value, headers };
}

/** Splits letters into transactions that are small enough to be committed long before their time-out. */
function inPortions(letters: readonly FoundDeadLetter[]): readonly (readonly FoundDeadLetter[])[] {
  const portions: FoundDeadLetter[][] = [];
  let bytes = 0;
  for (const letter of letters) {
    const last = portions.at(-1);
    const size = letter.value?.length ?? 0;
    if (last === undefined || last.length === portion.letters || bytes + size > portion.bytes) {
      portions.push([letter]);
      bytes = size;
    } else {
      last.push(letter);
      bytes += size;
    }
  }
  return portions;
}
