import type { SectionBody, SectionName, Unavailable } from '../../schemas/snapshots.js';
import type { SearchAnswer, ShardToExplain } from './client-port.js';
import type { ClusterMemory } from './cluster-memory.js';
import type { CollectorSettings } from './settings.js';

/** The cluster's identity, from the last answer of its root. */
export interface ClusterIdentity {
  readonly uuid: string;
  readonly name: string | null;
  readonly version: string | null;
  readonly major: number | null;
}

/** What a section may use: calls, memory, and time. */
export interface Collection {
  readonly cluster: ClusterIdentity;
  readonly settings: CollectorSettings;
  readonly memory: ClusterMemory;
  /** The body of a 2xx answer; rejects with CallFailure. */
  readonly read: (path: string) => Promise<unknown>;
  /** Passes on the elements of an array one by one. Can reject with CallFailure after some of them. */
  readonly readRows: (path: string, onRow: (row: unknown) => void) => Promise<void>;
  /** Any answer, whatever its status. */
  readonly ask: (path: string) => Promise<SearchAnswer>;
  readonly explain: (shard: ShardToExplain | undefined) => Promise<SearchAnswer>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface Collected<Name extends SectionName> {
  readonly body: SectionBody<Name>;
  /** Some nodes or shards did not answer. */
  readonly partial: boolean;
  readonly unavailable: readonly Unavailable[];
}

/** The list of a body that is split into several items, and the most elements that one item has. */
interface Split {
  readonly list: string;
  readonly most: (settings: CollectorSettings) => number;
  /** Another list, which only the first item has. */
  readonly once?: string;
}

/** One section that is collected: when, with which calls and privilege, and how its answers are read. */
export interface Section<Name extends SectionName = SectionName> {
  readonly name: Name;
  readonly intervalSeconds: (settings: CollectorSettings) => number;
  readonly enabled: (settings: CollectorSettings) => boolean;
  /** In Elasticsearch's words, for the operator who has to grant it. */
  readonly privilege: string;
  readonly split?: Split;
  /** Null: nothing has changed. */
  collect(collection: Collection): Promise<Collected<Name> | null>;
}

/**
 * A request's first line can have 4,096 bytes (`http.max_initial_line_length`): this leaves room for a query.
 */
const longestNames = 2_800;

/**
 * Names, escaped and joined by commas, in as few pieces as possible, each short enough for a path. A name
 * with `%`, such as an unresolved `%{[@metadata][beat]}`, is requested with a wildcard instead, because a
 * proxy might decode its escape twice. The wildcard's other matches are answered too, and ignored.
 */
export function pathChunks(names: readonly string[], longest: number = longestNames): readonly string[] {
  const chunks: string[] = [];
  let chunk = '';
  for (const name of names.map((each) => encodeURIComponent(each.replaceAll('%', '*')))) {
    if (chunk !== '' && chunk.length + 1 + name.length > longest) {
      chunks.push(chunk);
      chunk = '';
    }
    chunk = chunk === '' ? name : `${chunk},${name}`;
  }
  return chunk === '' ? chunks : [...chunks, chunk];
}
