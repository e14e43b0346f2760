import { deserialize, serialize } from 'node:v8';
import type {
  IdempotentAppend,
  IdempotentAppendResult,
} from '../../runtime/kafka/transactions/idempotent-append-group.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import {
  groupIndexOf,
  type IdempotentAppender,
} from '../../runtime/kafka/transactions/idempotent-appender.js';
import { murmur2 } from '../../runtime/kafka/protocol/partitioning.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { PeerAnswer, PeerClient } from './peer-client.js';

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

type Append = (call: Buffer) => Promise<IdempotentAppendResult<unknown>>;

const pathOf = (name: string): string => `/appends/${encodeURIComponent(name)}`;

/**
 * Assigns every transactional id of idempotent appends to one of the edges, so that they don't fence each other: the
 * others forward their appends to it. Correctness does not depend on the owner: where edges disagree, or the owner does
 * not answer, both append under that id, which is slower (ADR 3).
 */
export class AppendOwners {
  /** By the path at which other edges forward their appends. */
  private readonly local = new Map<string, Append>();
  private readonly calls;

  constructor(private readonly options: AppendOwnersOptions) {
    this.calls = options.metrics.counter(
      'telltale_appends_to_owners_total',
      'Idempotent appends that were handed to the edge that owns their transactional id: decided there, or failed.',
      ['outcome'],
    );
  }

  /** The same appends, decided by their owners. Appends that other edges forward count as held by `holder`. */
  share<Entry>(
    name: string,
    local: IdempotentAppender<Entry>,
    holder: Pick<Appender, 'holding'>,
  ): IdempotentAppender<Entry> {
    this.local.set(pathOf(name), (call) =>
      // An edge that knows EDGE_PEER_SECRET is trusted, as are the statuses that it answers.
      holder.holding(call.length, () => local.append(deserialize(call) as IdempotentAppend<Entry>)),
    );
    return {
      append: async (call) => (await this.decidedByOwner<Entry>(name, call)) ?? local.append(call),
      stop: () => local.stop(),
    };
  }

  /** The answer to another edge; undefined where the path is none of an append. */
  answer(path: string, body: Buffer | undefined): Promise<PeerAnswer> | undefined {
    const append = this.local.get(path);
    if (append === undefined || body === undefined) return undefined;
    return append(body).then((result) => ({ status: 200, body: serialize(result) }));
  }

  private async decidedByOwner<Entry>(
    name: string,
    call: IdempotentAppend<Entry>,
  ): Promise<IdempotentAppendResult<Entry> | undefined> {
    const { client, peers, ownUrl } = this.options;
    const owner = this.ownerOf(call.group);
    if (owner === ownUrl || peers.isSilent(owner)) return undefined;
    try {
      const { status, body } = await client.send(owner, pathOf(name), serialize(call));
      peers.reached(owner);
      this.calls.inc({ outcome: status === 200 ? 'decided' : 'failed' });
      return status === 200 ? (deserialize(body) as IdempotentAppendResult<Entry>) : undefined;
    } catch (error) {
      // The owner may have appended all the same: the next append under the id finds that.
      this.calls.inc({ outcome: 'failed' });
      peers.notReached(owner, error);
      return undefined;
    }
  }

  /** Rendezvous hashing: an edge that joins or leaves takes over its own groups only. */
  private ownerOf(group: string): string {
    const { ownUrl, peers } = this.options;
    const weightOf = (url: string): number => murmur2(Buffer.from(`${groupIndexOf(group)} ${url}`)) >>> 0;
    return peers.urls.reduce((best, url) => (weightOf(url) > weightOf(best) ? url : best), ownUrl);
  }
}
