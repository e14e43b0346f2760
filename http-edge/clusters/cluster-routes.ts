import { TelltaleError } from '../../runtime/errors.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { Problem, retryAfter } from '../../runtime/http/problem.js';
import type { PathParameters, Route } from '../../runtime/http/route.js';
import type { Admission } from '../http/admission.js';
import { clustersPath } from '../routes.js';
import type { ClusterOf, ClusterReader } from './cluster-reader.js';
import { pageOf, type Page } from './page.js';

export interface ClusterRoutesDependencies {
  readonly clusters: ClusterReader;
  readonly admission: Admission;
}

type Read = (of: ClusterOf, page: Page) => Promise<object | undefined>;

/** `GET /api/v1/clusters…`: the clusters of the key's workspace, for a key with the scope `read`. */
export function clusterRoutes({ clusters, admission }: ClusterRoutesDependencies): readonly Route[] {
  const one = `${clustersPath}/{cluster_uuid}`;
  const ofOne = (path: string, read: Read): Route => ({
    method: 'GET',
    pattern: `${one}${path}`,
    async handle(exchange, { cluster_uuid: uuid = '' }: PathParameters) {
      const { key, headers } = admission.admit(exchange, ['read']);
      const page = pageOf(exchange.request.url ?? '');
      const found = await orUnavailable(() =>
        isClusterUuid(uuid) ? read({ workspace: key.workspace, uuid }, page) : Promise.resolve(undefined),
      );
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
        const page = pageOf(exchange.request.url ?? '');
        answer(exchange, await orUnavailable(() => clusters.clusters(key.workspace, page)), headers);
      },
    },
    ofOne('', (of) => clusters.cluster(of)),
    ofOne('/health', (of, page) => clusters.health(of, page)),
    ofOne('/nodes', (of, page) => clusters.list(of, 'nodes', page)),
    ofOne('/indices', (of, page) => clusters.list(of, 'indices', page)),
    ofOne('/shards', (of, page) => clusters.list(of, 'shards', page)),
    ofOne('/slow-operations', (of, page) => clusters.slowOperations(of, page)),
  ];
}

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
