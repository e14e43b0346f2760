import type { Exchange } from '../../runtime/http/exchange.js';
import { Problem } from '../../runtime/http/problem.js';
import type { PathParameters, Route } from '../../runtime/http/route.js';
import type { SeriesSubject } from '../../schemas/cluster-rows/series-figures.js';
import type { Gate } from '../http/admission.js';
import { orUnavailable } from '../http/stored-read.js';
import { boundedRangeOf } from '../results/result-query.js';
import { clustersPath } from '../routes.js';
import type { ClusterList, ClusterOf, ClusterReader } from './cluster-reader.js';
import { isClusterUuid } from './cluster-uuid.js';
import { afterCluster, afterEntry, afterScore, inSnapshot, ofFiltered, type CursorForm } from './cursors.js';
import {
  indexFilterOf,
  noFilter,
  nodeFilterOf,
  shardFilterOf,
  taskFilterOf,
  timeRangeOf,
  type ListFilter,
} from './filters.js';
import { pageOf, type Page } from './page.js';
import { queryOf } from './query.js';
import { seriesQueryOf } from './series-query.js';
import { slowFilterOf, slowQueryOf } from './slow-filter.js';

export interface ClusterRoutesDependencies {
  readonly clusters: ClusterReader;
  readonly admission: Gate;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const away = 'The stored clusters cannot be read at the moment. Try again.';

const range = { parameter: 'from', detail: 'Ask for a shorter range: this query would read too much.' };

/** Reads from a cluster what the rest of the request asks for. */
type Read = (of: ClusterOf, target: string, parameters: PathParameters) => Promise<object | undefined>;

/** `GET /api/v1/clusters…`: the clusters of the key's workspace, for a key with the scope `read`. */
export function clusterRoutes({ clusters, admission, clock }: ClusterRoutesDependencies): readonly Route[] {
  const one = `${clustersPath}/{cluster_uuid}`;
  const ofOne = (path: string, read: Read, narrow?: typeof range, what = 'cluster'): Route => ({
    method: 'GET',
    pattern: `${one}${path}`,
    async handle(exchange, parameters: PathParameters) {
      const { cluster_uuid: uuid = '' } = parameters;
      const { key, headers } = admission.admit(exchange, ['read']);
      const of = { workspace: key.workspace, uuid };
      const found = isClusterUuid(uuid)
        ? await orUnavailable(away, () => read(of, exchange.request.url ?? '', parameters), narrow)
        : undefined;
      if (found === undefined) throw new Problem('not-found', `This workspace has no such ${what}.`);
      answer(exchange, found, headers);
    },
  });
  const listed = (list: ClusterList, filterOf: (query: URLSearchParams) => ListFilter): Read =>
    paged(inSnapshot[list], filterOf, (of, page, filter) => clusters.list(of, list, page, filter));
  const course =
    (subject: SeriesSubject): Read =>
    (of, target) => {
      const query = queryOf(target);
      return clusters.series(of, boundedRangeOf(query, clock()), seriesQueryOf(subject, query));
    };
  return [
    {
      method: 'GET',
      pattern: clustersPath,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const page = pageOf(queryOf(exchange.request.url ?? ''), afterCluster);
        answer(exchange, await orUnavailable(away, () => clusters.clusters(key.workspace, page)), headers);
      },
    },
    ofOne('', (of) => clusters.cluster(of)),
    ofOne(
      '/health',
      paged(afterScore, timeRangeOf, (of, page, within) => clusters.health(of, page, within)),
      range,
    ),
    ofOne('/nodes', listed('nodes', nodeFilterOf)),
    ofOne('/indices', listed('indices', indexFilterOf)),
    ofOne('/shards', listed('shards', shardFilterOf)),
    ofOne('/tasks', listed('tasks', taskFilterOf)),
    ofOne('/recoveries', listed('recoveries', noFilter)),
    ofOne(
      '/data-streams',
      paged(inSnapshot.data_streams, noFilter, (of, page) => clusters.dataStreams(of, page)),
    ),
    ofOne('/unassigned', (of) => clusters.unassigned(of)),
    ofOne(
      '/timeline',
      (of, target) => clusters.timeline(of, boundedRangeOf(queryOf(target), clock())),
      range,
    ),
    ofOne('/series', course('cluster'), range),
    ofOne('/nodes/series', course('nodes'), range),
    ofOne('/indices/series', course('indices'), range),
    ofOne(
      '/slow-operations',
      paged(afterEntry, slowQueryOf, (of, page, query) => clusters.slowOperations(of, page, query)),
      range,
    ),
    ofOne(
      '/slow-operations/summary',
      (of, target) => {
        const query = queryOf(target);
        return clusters.slowSummary(of, boundedRangeOf(query, clock()), slowFilterOf(query));
      },
      range,
    ),
    ofOne(
      '/slow-operations/{operation_id}',
      (of, _, { operation_id: id = '' }) => clusters.slowOperation(of, id),
      undefined,
      'slow operation',
    ),
  ];
}

const paged =
  <Position, Filter extends object>(
    form: CursorForm<Position>,
    filterOf: (query: URLSearchParams) => Filter,
    read: (of: ClusterOf, page: Page<Position>, filter: Filter) => Promise<object | undefined>,
  ): Read =>
  (of, target) => {
    const query = queryOf(target);
    const filter = filterOf(query);
    return read(of, pageOf(query, ofFiltered(form, filter)), filter);
  };

function answer(exchange: Exchange, body: object, headers: readonly string[]): void {
  exchange.json(200, JSON.stringify(body), headers);
}
