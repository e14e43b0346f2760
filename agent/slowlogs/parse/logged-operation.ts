import type {
  slowOperationKinds,
  slowOperationLevels,
  slowOperationPhases,
} from '../../../schemas/slow-operations.js';

export type Kind = (typeof slowOperationKinds)[number];
export type Phase = (typeof slowOperationPhases)[number];
export type Level = (typeof slowOperationLevels)[number];

/** One entry of a slow log, in any format. Nothing in it is scrubbed: it goes to the scrubber and nowhere else. */
export interface LoggedOperation {
  /** Microseconds since 1970. */
  readonly at: number;
  readonly kind: Kind;
  readonly phase: Phase;
  readonly level: Level;
  readonly clusterUuid: string | null;
  readonly clusterName: string | null;
  readonly nodeId: string | null;
  readonly nodeName: string | null;
  readonly index: string;
  readonly indexUuid: string | null;
  readonly shard: number | null;
  readonly tookMs: number;
  readonly totalHits: number | null;
  readonly totalHitsAtLeast: boolean;
  readonly searchType: string | null;
  readonly totalShards: number | null;
  readonly stats: readonly string[];
  /** X-Opaque-Id of a search, document id of an indexing operation: the logs use one name for both. */
  readonly id: string | null;
  readonly routing: string | null;
  readonly traceId: string | null;
  readonly user: string | null;
  /** Body of the search, or the document: often cut off by the node. Only its own escapes are left. */
  readonly source: string | null;
}

/** The length of all its texts that can be long. */
export const charactersOf = ({ source, id, routing, user, stats }: LoggedOperation): number =>
  [source, id, routing, user, ...stats].reduce((sum, text) => sum + (text?.length ?? 0), 0);

/** The result of parsing a piece of a log file. */
export type Parsed =
  | { readonly is: 'operation'; readonly operation: LoggedOperation }
  /** A line of the server's own log, or of another kind of log. */
  | { readonly is: 'other' }
  /**
   * It claims to be an entry of a slow log, but lacks what each entry has. The reason quotes nothing of it.
   */
  | { readonly is: 'unreadable'; readonly reason: string };

/** The fields that the formats share, as text, before they are checked. */
export interface RawFields {
  readonly timestamp: string | null;
  readonly logger: string | null;
  readonly level: string | null;
  readonly clusterUuid: string | null;
  readonly clusterName: string | null;
  readonly nodeId: string | null;
  readonly nodeName: string | null;
  /** `[index][shard]` or `[index/uuid]`. */
  readonly target: string | null;
  readonly took: string | null;
  readonly tookMillis: string | null;
  readonly totalHits: string | null;
  readonly searchType: string | null;
  readonly totalShards: string | null;
  readonly stats: readonly string[];
  readonly id: string | null;
  readonly routing: string | null;
  readonly traceId: string | null;
  readonly user: string | null;
  readonly source: string | null;
}

/** Fields that a format lacks. */
export const nothingSaid: RawFields = {
  timestamp: null,
  logger: null,
  level: null,
  clusterUuid: null,
  clusterName: null,
  nodeId: null,
  nodeName: null,
  target: null,
  took: null,
  tookMillis: null,
  totalHits: null,
  searchType: null,
  totalShards: null,
  stats: [],
  id: null,
  routing: null,
  traceId: null,
  user: null,
  source: null,
};
