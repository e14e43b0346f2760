import type { Stage } from '../shared/stage-status.js';

/** The topics whose data an API path returns. Paths that are not listed don't read ClickHouse. */
const ways: readonly (readonly [path: string, topics: RegExp])[] = [
  ['/api/v1/results', /^scoring\./],
  ['/api/v1/events', /^ingest\.events$/],
  ['/api/v1/traces', /^ingest\.spans$/],
  ['/api/v1/applications', /^ingest\.spans$/],
  ['/api/v1/clusters', /^clusters\./],
];

const topicsOf = (path: string): RegExp | undefined =>
  ways.find(([begin]) => path === begin || path.startsWith(`${begin}/`))?.[1];

export const restsInTables = (path: string): boolean => topicsOf(path) !== undefined;

/**
 * How many seconds the data is behind the edge: the largest lag of the stages on its way. Null if one of
 * their lags is unknown, or there are no stages.
 */
export function behindOf(paths: readonly string[], stages: readonly Stage[]): number | null {
  const topics = paths.flatMap((path) => topicsOf(path) ?? []);
  const onTheWay = stages.filter(({ topic }) => topics.some((form) => form.test(topic)));
  if (onTheWay.length === 0) return null;
  return onTheWay.reduce<number | null>(
    (most, { lag_seconds: lag }) => (most === null || lag === null ? null : Math.max(most, lag)),
    0,
  );
}
