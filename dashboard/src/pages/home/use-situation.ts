import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiError } from '../../api/client.js';
import type { Session } from '../../api/session.js';
import { useRead } from '../../api/use-read.js';
import type { Awaited, Source } from '../../shared/waiting.js';
import type { Situation } from './attention.js';

const lastDay = { kind: 'last', minutes: 1_440 } as const;
const failedShown = 100;
const mostClusters = 1_000;
const restOfClusters = {
  what: 'More clusters',
  reason: `Home looks at the first ${mostClusters} by their id alone. GET /api/v1/clusters has the others, page by page.`,
  href: '/clusters',
};

/** Everything that Home evaluates. Only an admin's session asks for what only admins may read. */
export function useSituation({ role }: Session): {
  readonly situation: Situation;
  /** What has not been read yet, and has not failed. */
  readonly awaited: readonly Awaited[];
} {
  const enabled = role === 'admin';
  const clusters = useRead('/api/v1/clusters', { query: { limit: mostClusters }, everySeconds: 15 });
  const scorers = useRead('/api/v1/monitoring/metrics/scorers', { everySeconds: 60 });
  const pipeline = useRead('/api/v1/pipeline', { everySeconds: 10 });
  const agents = useRead('/api/v1/agents', { everySeconds: 15 });
  const failures = useRead('/api/v1/results', {
    query: { outcome: 'failed', limit: failedShown },
    range: lastDay,
    everySeconds: 60,
  });
  const letters = useRead('/api/v1/dead-letters', { everySeconds: 30, enabled });
  const keys = useRead('/api/v1/keys', { everySeconds: 60, enabled });
  const failed = failures.data?.results;
  const asked: readonly (readonly [UseQueryResult<unknown, ApiError>, string, Source, string])[] = [
    [clusters, 'Clusters', 'ClickHouse', '/clusters'],
    [scorers, 'Scorers', 'edge', '/control/scorers'],
    [pipeline, 'The pipeline', 'Kafka', '/pipeline'],
    [agents, 'Agents', 'edge', '/control/agents'],
    [failures, 'Prompts that could not be scored', 'ClickHouse', '/results?outcome=failed&last=24h'],
    [letters, 'Dead letters', 'Kafka', '/pipeline/dead-letters'],
    [keys, 'API keys', 'edge', '/control'],
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
        ...asked.flatMap(([{ error }, what, , href]) =>
          error === null ? [] : [{ what, reason: error.message, href }],
        ),
        ...(typeof clusters.data?.next === 'string' ? [restOfClusters] : []),
      ],
    },
    awaited: asked.flatMap(([{ isLoading }, what, source]) => (isLoading ? [{ what, from: [source] }] : [])),
  };
}
