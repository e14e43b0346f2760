import { TelltaleError } from '../../../runtime/errors.js';
import type { Logger } from '../../../runtime/logging.js';
import type { Metrics } from '../../../runtime/metrics.js';
import type { KnownPeers } from '../../peers/append-owners.js';
import type { PeerClient } from '../../peers/peer-client.js';
import { SilentPeers } from '../../peers/silent-peers.js';
import { primariesOf, type AssignedEdge } from './primaries.js';
import { KafkaAwayThere, NotKept, type StatusQuestion } from './question.js';
import { askPeer, peerKeeps } from './questions-to-peers.js';

export interface ShardOwnersOptions {
  readonly ownUrl: string;
  readonly client: PeerClient;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** After this long, no further edge is asked a question. */
const patienceMs = 5_000;

/**
 * Finds an edge that keeps a partition. The assignment of the group only says which edge to ask first: an
 * edge answers only for what it keeps. A former owner keeps a partition until the next one does, so while a
 * partition moves, its former owner is found by asking.
 */
export class ShardOwners extends SilentPeers implements KnownPeers {
  private peers: readonly AssignedEdge[] = [];
  private primaries: ReadonlyMap<number, string> = new Map();
  /** The partitions of this edge whose primary is another edge. */
  private copies: ReadonlySet<number> = new Set();
  /**
   * The edge most likely to keep a partition: the last that answered or was assigned. It might have left the
   * group since.
   */
  private readonly likely = new Map<number, string>();
  private readonly forwarded;
  private tellFailure: () => void = () => undefined;

  constructor(private readonly options: ShardOwnersOptions) {
    super(options.logger);
    this.forwarded = options.metrics.counter(
      'telltale_status_view_forwards_total',
      'Status questions to other edges: answered, not kept there, or failed.',
      ['outcome'],
    );
  }

  /** The other edges, and the partitions that the group has assigned to this one. */
  know(peers: readonly AssignedEdge[], own: readonly number[]): void {
    for (const { url, partitions } of this.peers)
      for (const partition of partitions) if (!this.likely.has(partition)) this.likely.set(partition, url);
    const { ownUrl } = this.options;
    this.peers = peers;
    this.primaries = primariesOf([...peers, { url: ownUrl, partitions: own }]);
    this.copies = new Set(own.filter((partition) => this.primaries.get(partition) !== ownUrl));
  }

  /** False if another edge stores the results of the partition: this one has a copy without them. */
  keepsResults(partition: number): boolean {
    return !this.copies.has(partition);
  }

  /** The listener asks the group for its members again. */
  onFailure(tell: () => void): void {
    this.tellFailure = tell;
  }

  /** Rejects with TASK_STATUS_AWAY if no edge that answers keeps the partition. */
  async ask(partition: number, question: StatusQuestion): Promise<Buffer | undefined> {
    const deadline = performance.now() + patienceMs;
    for (const url of this.inOrder(partition)) {
      if (performance.now() > deadline) break;
      try {
        return await this.askOne(url, partition, question);
      } catch {
        // The next one is asked.
      }
    }
    throw new TelltaleError('TASK_STATUS_AWAY', { partition });
  }

  /** The primary's answer; also undefined if this edge is the primary, or if the primary does not answer. */
  async askPrimary(partition: number, question: StatusQuestion): Promise<Buffer | undefined> {
    const url = this.primaries.get(partition);
    if (url === undefined || url === this.options.ownUrl || this.isSilent(url)) return undefined;
    return this.askOne(url, partition, question).catch(() => undefined);
  }

  /** Whether every other edge that the partition is assigned to keeps all of it; false if there is none. */
  async isTakenOver(partition: number): Promise<boolean> {
    const owners = this.peers.filter(({ partitions }) => partitions.includes(partition));
    if (owners.length === 0) return false;
    const kept = owners.map(({ url }) => peerKeeps(this.options.client, url, partition).catch(() => false));
    return (await Promise.all(kept)).every(Boolean);
  }

  /** The addresses of the other edges. */
  get urls(): readonly string[] {
    return this.peers.map(({ url }) => url);
  }

  override notReached(url: string, error: unknown): void {
    this.tellFailure();
    super.notReached(url, error);
  }

  private async askOne(
    url: string,
    partition: number,
    question: StatusQuestion,
  ): Promise<Buffer | undefined> {
    try {
      const entry = await askPeer(this.options.client, url, partition, question);
      this.answered(url, partition);
      return entry;
    } catch (error) {
      this.failed(url, partition, error);
      throw error;
    }
  }

  private inOrder(partition: number): Iterable<string> {
    const owners = this.peers.filter(({ partitions }) => partitions.includes(partition));
    const urls = [
      this.primaries.get(partition),
      ...owners.map(({ url }) => url),
      this.likely.get(partition),
      ...this.urls,
    ]
      .filter((url) => url !== undefined)
      .filter((url) => url !== this.options.ownUrl);
    // Edges that failed recently come last: a dead machine does not answer, and each try waits for it.
    return new Set([
      ...urls.filter((url) => !this.isSilent(url)),
      ...urls.filter((url) => this.isSilent(url)),
    ]);
  }

  private answered(url: string, partition: number): void {
    this.forwarded.inc({ outcome: 'answered' });
    this.likely.set(partition, url);
    this.reached(url);
  }

  private failed(url: string, partition: number, error: unknown): void {
    if (this.likely.get(partition) === url) this.likely.delete(partition);
    const isKeptElsewhere = error instanceof NotKept;
    this.forwarded.inc({ outcome: isKeptElsewhere ? 'not_kept' : 'failed' });
    if (isKeptElsewhere) this.tellFailure();
    if (isKeptElsewhere || error instanceof KafkaAwayThere) this.reached(url);
    else this.notReached(url, error);
  }
}
