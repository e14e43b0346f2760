import { deserialize, serialize } from 'node:v8';
import { TelltaleError } from '../../runtime/errors.js';
import type {
  IdempotentAppend,
  IdempotentAppendResult,
} from '../../runtime/kafka/transactions/idempotent-append-group.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import {
  groupIndexOf,
  type IdempotentAppender,
} from '../../runtime/kafka/transactions/idempotent-appender.js';
import type { Metrics } from '../../runtime/metrics.js';
import { edgeWeight } from './edge-weight.js';
import { NoAnswerInTime, type PeerAnswer, type PeerClient } from './peer-client.js';

/** The other edges that this edge knows now. */
export interface KnownPeers {
  readonly urls: readonly string[];
  isSilent(url: string): boolean;
  reached(url: string): void;
  notReached(url: string, error: unknown): void;
}

export interface AppendOwnersOptions {
  readonly ownUrl: string;
  readonly client: PeerClient;
  readonly peers: KnownPeers;
  readonly metrics: Metrics;
}

export interface SharedAppends<Entry> {
  readonly name: string;
  readonly local: IdempotentAppender<Entry>;
  /** Holds the appends that other edges forward. */
  readonly holder: Pick<Appender, 'holding'>;
  /** After this long, an owner has answered that Kafka did not confirm. */
  readonly timeoutMs: number;
}

type Append = (call: Buffer) => Promise<IdempotentAppendResult<unknown>>;
type Refusal = Pick<TelltaleError, 'code' | 'details'>;

/** The extra wait that lets an owner's own time-out arrive before this edge stops waiting. */
const answerMs = 500;
const outage = 503;

const pathOf = (name: string): string => `/appends/${encodeURIComponent(name)}`;

/**
 * Assigns every transactional id of idempotent appends to one of the edges. The others forward their appends
 * to it, so edges don't fence each other. Correctness does not depend on the owner: if edges disagree, or the
 * owner is down, both append under that id, which is slower (ADR 3). A live owner's refusal is final:
 * appending here would abort the owner's transaction, when Kafka is slow or the owner is full already.
 */
export class AppendOwners {
  /** By the path to which other edges forward their appends. */
  private readonly local = new Map<string, Append>();
  private readonly calls;

  constructor(private readonly options: AppendOwnersOptions) {
    this.calls = options.metrics.counter(
      'telltale_appends_to_owners_total',
      'Idempotent appends that were handed to the edge that owns their transactional id: decided there, refused there, or failed.',
      ['outcome'],
    );
  }

  /** The same appends, decided by their owners. */
  share<Entry>(shared: SharedAppends<Entry>): IdempotentAppender<Entry> {
    const { name, local, holder } = shared;
    this.local.set(pathOf(name), (call) =>
      // An edge that knows EDGE_PEER_SECRET is trusted, as are the statuses that it answers.
      holder.holding(call.length, () => local.append(deserialize(call) as IdempotentAppend<Entry>)),
    );
    return {
      append: async (call) => (await this.decidedByOwner(shared, call)) ?? local.append(call),
      stop: () => {
        // Other edges append by themselves from now on.
        this.local.delete(pathOf(name));
        return local.stop();
      },
    };
  }

  /** The answer to another edge; undefined if the path is not one of an append. */
  answer(path: string, body: Buffer | undefined): Promise<PeerAnswer> | undefined {
    const append = this.local.get(path);
    if (append === undefined || body === undefined) return undefined;
    return append(body).then(
      (result) => ({ status: 200, body: serialize(result) }),
      (error: unknown) => {
        if (!(error instanceof TelltaleError)) throw error;
        const { code, details } = error;
        return { status: outage, body: serialize({ code, details } satisfies Refusal) };
      },
    );
  }

  /** Undefined if this edge must decide. Rejects with the owner's own refusal, or with APPEND_TIMED_OUT. */
  private async decidedByOwner<Entry>(
    { name, timeoutMs }: SharedAppends<Entry>,
    call: IdempotentAppend<Entry>,
  ): Promise<IdempotentAppendResult<Entry> | undefined> {
    const { client, peers, ownUrl } = this.options;
    const owner = this.ownerOf(call.group);
    if (owner === ownUrl || peers.isSilent(owner)) return undefined;
    const answered = await client
      .send(owner, pathOf(name), serialize(call), timeoutMs + answerMs)
      .catch((error: unknown) => {
        this.calls.inc({ outcome: 'failed' });
        peers.notReached(owner, error);
        // A live owner might still be working on it. A dead one might have appended it: the next append under
        // the id finds that.
        if (!(error instanceof NoAnswerInTime)) return undefined;
        const topic = call.records[0]?.topic ?? '';
        throw new TelltaleError('APPEND_TIMED_OUT', { topic, ms: timeoutMs }, { cause: error });
      });
    if (answered === undefined) return undefined;
    peers.reached(owner);
    return this.decisionOf<Entry>(answered);
  }

  private decisionOf<Entry>({
    status,
    body,
  }: Required<PeerAnswer>): IdempotentAppendResult<Entry> | undefined {
    if (status === 200) {
      this.calls.inc({ outcome: 'decided' });
      return deserialize(body) as IdempotentAppendResult<Entry>;
    }
    if (status === outage) {
      this.calls.inc({ outcome: 'refused' });
      const { code, details } = deserialize(body) as Refusal;
      throw new TelltaleError(code, details);
    }
    this.calls.inc({ outcome: 'failed' });
    return undefined;
  }

  /** Rendezvous hashing: if an edge joins or leaves, only its own groups move. */
  private ownerOf(group: string): string {
    const { ownUrl, peers } = this.options;
    const weightOf = (url: string): number => edgeWeight(groupIndexOf(group), url);
    return peers.urls.reduce((best, url) => (weightOf(url) > weightOf(best) ? url : best), ownUrl);
  }
}
