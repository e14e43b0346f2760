import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiError, ReadPath } from '../../api/client.js';
import type { Session } from '../../api/session.js';
import { curlOf, useRead, type ReadOptions } from '../../api/use-read.js';
import type { Awaited, Source } from '../../shared/waiting.js';
import type { Situation } from './attention.js';

const lastDay = { kind: 'last', minutes: 1_440 } as const;
const failedShown = 100;
const mostClusters = 1_000;
const restOfClusters = {
  what: 'More clusters',
  reason: `Home looks only at the first ${mostClusters} by their id. GET /api/v1/clusters has the others, page by page.`,
  href: '/clusters',
};
/** A read that fails keeps the previous answer. */
const readBefore = 'The entries shown are from the last successful read.';

interface Read {
  readonly path: ReadPath;
  readonly options?: Pick<ReadOptions, 'query' | 'range'>;
  readonly what: string;
  readonly source: Source;
  /** The page with more about it. */
  readonly href: string;
}

const reads = {
  clusters: {
    ...{ path: '/api/v1/clusters', options: { query: { limit: mostClusters } } },
    ...{ what: 'Clusters', source: 'ClickHouse', href: '/clusters' },
  },
  scorers: {
    path: '/api/v1/monitoring/metrics/scorers',
    ...{ what: 'Scorers', source: 'edge', href: '/control/scorers' },
  },
  pipeline: { path: '/api/v1/pipeline', what: 'The pipeline', source: 'Kafka', href: '/pipeline' },
  agents: { path: '/api/v1/agents', what: 'Agents', source: 'edge', href: '/control/agents' },
  failures: {
    path: '/api/v1/results',
    options: { query: { outcome: 'failed', limit: failedShown }, range: lastDay },
    what: 'Prompts that could not be scored',
    ...{ source: 'ClickHouse', href: '/results?outcome=failed&last=24h' },
  },
  letters: {
    path: '/api/v1/dead-letters',
    ...{ what: 'Dead letters', source: 'Kafka', href: '/pipeline/dead-letters' },
  },
  keys: { path: '/api/v1/keys', what: 'API keys', source: 'edge', href: '/control' },
} as const satisfies Readonly<Record<string, Read>>;

/** Everything that Home evaluates. Only an admin's session reads what only admins may read. */
export function useSituation({ role }: Session): {
  readonly situation: Situation;
  /** What has not been read yet, and has not failed. */
  readonly awaited: readonly Awaited[];
  /** The calls that return all of it, one per line. */
  readonly curl: (nowMs: number) => string;
} {
  const enabled = role === 'admin';
  const clusters = useRead(reads.clusters.path, { ...reads.clusters.options, everySeconds: 15 });
  const scorers = useRead(reads.scorers.path, { everySeconds: 60 });
  const pipeline = useRead(reads.pipeline.path, { everySeconds: 10 });
  const agents = useRead(reads.agents.path, { everySeconds: 30 });
  const failures = useRead(reads.failures.path, { ...reads.failures.options, everySeconds: 60 });
  const letters = useRead(reads.letters.path, { everySeconds: 30, enabled });
  const keys = useRead(reads.keys.path, { everySeconds: 60, enabled });
  const failed = failures.data?.results;
  const asked: readonly (readonly [Read, UseQueryResult<unknown, ApiError>])[] = [
    [reads.clusters, clusters],
    [reads.scorers, scorers],
    [reads.pipeline, pipeline],
    [reads.agents, agents],
    [reads.failures, failures],
    ...(enabled
      ? ([
          [reads.letters, letters],
          [reads.keys, keys],
        ] as const)
      : []),
  ];
  return {
    situation: {
      ...(clusters.data && { clusters: clusters.data.clusters }),
      ...(scorers.data && { scorers: scorers.data.scorers }),
      ...(pipeline.data && { stages: pipeline.data.stages }),
      ...(agents.data && { agents: agents.data.agents }),
      ...(failed && {
        failed: {
          count: failed.length,
          isAtLeast: failures.data?.next !== null,
          error: failed[0]?.error ?? null,
        },
      }),
      ...(letters.data && { letters: letters.data.dead_letters }),
      ...(keys.data && { keys: keys.data.keys }),
      unread: [
        ...asked.flatMap(([{ what, href }, { error, data }]) =>
          error === null
            ? []
            : [{ what, href, reason: data === undefined ? error.message : `${error.message} ${readBefore}` }],
        ),
        ...(typeof clusters.data?.next === 'string' ? [restOfClusters] : []),
      ],
    },
    awaited: asked.flatMap(([{ what, source }, { isPending }]) =>
      isPending ? [{ what, from: [source] }] : [],
    ),
    curl: (nowMs) => asked.map(([{ path, options = {} }]) => curlOf(path, options, nowMs)).join('\n'),
  };
}
