import { TelltaleError } from '../../runtime/errors.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { Problem, retryAfter } from '../../runtime/http/problem.js';
import type { PathParameters, Route } from '../../runtime/http/route.js';
import type { Admission } from '../http/admission.js';
import { clustersPath } from '../routes.js';
import type { ClusterOf, ClusterReader } from './cluster-reader.js';
import { afterCluster, afterEntry, afterScore, inSnapshot, type CursorForm } from './cursors.js';
import { pageOf, type Page } from './page.js';

export interface ClusterRoutesDependencies {
  readonly clusters: ClusterReader;
  readonly admission: Admission;
}

/** Reads of a cluster what the rest of the request asks for. */
type Read = (of: ClusterOf, target: string) => Promise<object | undefined>;

/** `GET /api/v1/clusters…`: the clusters of the key's workspace, for a key with the scope `read`. */
export function clusterRoutes({ clusters, admission }: ClusterRoutesDependencies): readonly Route[] {
  const one = `${clustersPath}/{cluster_uuid}`;
  const ofOne = (path: string, read: Read): Route => ({
    method: 'GET',
    pattern: `${one}${path}`,
    async handle(exchange, { cluster_uuid: uuid = '' }: PathParameters) {
      const { key, headers } = admission.admit(exchange, ['read']);
      const of = { workspace: key.workspace, uuid };
      const found = isClusterUuid(uuid)
        ? await orUnavailable(() => read(of, exchange.request.url ?? ''))
        : undefined;
      if (found === undefined) throw new Problem('not-found', 'This workspace has no such cluster.');
      answer(exchange, found, headers);
    },
  });
  return [
    {
      method: 'GET',
      pattern: clustersPath,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const page = pageOf(exchange.request.url ?? '', afterCluster);
        answer(exchange, await orUnavailable(() => clusters.clusters(key.workspace, page)), headers);
      },
    },
    ofOne('', (of) => clusters.cluster(of)),
    ofOne(
      '/health',
      paged(afterScore, (of, page) => clusters.health(of, page)),
    ),
    ofOne(
      '/nodes',
      paged(inSnapshot.nodes, (of, page) => clusters.list(of, 'nodes', page)),
    ),
    ofOne(
      '/indices',
      paged(inSnapshot.indices, (of, page) => clusters.list(of, 'indices', page)),
    ),
    ofOne(
      '/shards',
      paged(inSnapshot.shards, (of, page) => clusters.list(of, 'shards', page)),
    ),
    ofOne(
      '/slow-operations',
      paged(afterEntry, (of, page) => clusters.slowOperations(of, page)),
    ),
  ];
}

const paged =
  <Position>(
    form: CursorForm<Position>,
    read: (of: ClusterOf, page: Page<Position>) => Promise<object | undefined>,
  ): Read =>
  (of, target) =>
    read(of, pageOf(target, form));

const isClusterUuid = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

function answer(exchange: Exchange, body: object, headers: readonly string[]): void {
  exchange.json(200, JSON.stringify(body), headers);
}

const storeErrors: ReadonlySet<string> = new Set(['CLICKHOUSE_UNREACHABLE', 'CLICKHOUSE_REFUSED']);

/** A store that is away costs this answer alone: nothing else of the edge waits for it. */
async function orUnavailable<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TelltaleError) || !storeErrors.has(error.code)) throw error;
    throw new Problem('unavailable', 'What is stored of clusters can not be read at the moment. Try again.', {
      headers: retryAfter(2),
    });
  }
}
