import type { AfterCluster, AfterEntry, AfterScore, InSnapshot } from './cursors.js';
import type { ListFilter, TimeRange } from './filters.js';
import type { BoundedRange } from '../results/result-reader.js';
import type { Page } from './page.js';
import type { SeriesQuery } from './series-query.js';
import type { SlowFilter, SlowQuery } from './slow-filter.js';

/** Lists that are read page by page, each from the last whole snapshot of its section. */
export type ClusterList = 'nodes' | 'indices' | 'shards' | 'tasks' | 'recoveries';

/** A cluster of a workspace: a key reads only those of its own workspace. */
export interface ClusterOf {
  readonly workspace: string;
  readonly uuid: string;
}

/**
 * Reads stored data of search clusters. Answers are objects ready to be sent, or undefined if the workspace
 * has no such cluster. Rejects with CLICKHOUSE_UNREACHABLE or CLICKHOUSE_REFUSED while the store can't
 * answer.
 */
export interface ClusterReader {
  clusters(workspace: string, page: Page<AfterCluster>): Promise<object>;
  cluster(of: ClusterOf): Promise<object | undefined>;
  health(of: ClusterOf, page: Page<AfterScore>, range: TimeRange): Promise<object | undefined>;
  list(
    of: ClusterOf,
    list: ClusterList,
    page: Page<InSnapshot>,
    filter: ListFilter,
  ): Promise<object | undefined>;
  /** The largest first. */
  dataStreams(of: ClusterOf, page: Page<InSnapshot>): Promise<object | undefined>;
  /** Unassigned shards by their cause. */
  unassigned(of: ClusterOf): Promise<object | undefined>;
  timeline(of: ClusterOf, range: BoundedRange): Promise<object | undefined>;
  series(of: ClusterOf, range: BoundedRange, query: SeriesQuery): Promise<object | undefined>;
  slowOperations(of: ClusterOf, page: Page<AfterEntry>, query: SlowQuery): Promise<object | undefined>;
  /** One slow-log entry, by its id; also undefined if the cluster has no such entry. */
  slowOperation(of: ClusterOf, id: string): Promise<object | undefined>;
  /** Counts over time, and the shapes of the queries. */
  slowSummary(of: ClusterOf, range: BoundedRange, filter: SlowFilter): Promise<object | undefined>;
}
