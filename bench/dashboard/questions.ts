import { seededCluster } from '../screenshots/seed-cluster.js';
import { traceIdOf } from './volumes.js';

export interface Question {
  readonly page: string;
  /** The requests of the page, by the path after /api/v1/. */
  readonly path: string;
}

const trace = traceIdOf(1_000);
const cluster = `clusters/${seededCluster}`;
export const slow = `${cluster}/slow-operations`;

/** Stored items that some requests name. */
export interface Stored {
  readonly result: string;
  readonly key: string;
  readonly operation: string;
  readonly shape: string;
}

/** The requests of the dashboard's pages. */
export const questionsOf = ({ result, key, operation, shape }: Stored): readonly Question[] => [
  { page: 'home and an empty range, when the last came', path: 'newest' },
  { page: 'home, what failed', path: 'results?outcome=failed&limit=100' },
  { page: 'latency of prompts', path: 'results/hop-times' },
  { page: 'results', path: 'results?limit=100' },
  { page: 'results that contain a word', path: 'results?contains=harbour&limit=100' },
  {
    page: 'results by their score',
    path: 'results?score=prompt_sentiment_lexicon&min=0.9&limit=100',
  },
  { page: 'results by a label that none has', path: 'results?label=none&limit=100' },
  { page: 'results of a metric', path: 'results?metric=text_metrics&limit=100' },
  { page: 'results of a lane', path: 'results?lane=realtime&limit=100' },
  { page: 'results of a key', path: `results?key=${key}&limit=100` },
  { page: 'a result', path: `results/${result}` },
  { page: 'the way of a result', path: `find/${result}` },
  { page: 'the trend of a score', path: 'results/trends' },
  { page: 'the trend of what contains a word', path: 'results/trends?contains=harbour' },
  { page: 'the trend of a label that none has', path: 'results/trends?label=none' },
  { page: 'the trend of a range of a score', path: 'results/trends?score=prompt_sentiment_lexicon&min=0.9' },
  { page: 'applications', path: 'applications' },
  { page: 'operations of an application', path: 'applications/operations?application=service-1' },
  { page: 'the map of calls', path: 'applications/calls' },
  { page: 'traces', path: 'traces?spans=roots&limit=100' },
  {
    page: 'traces of an application that failed',
    path: 'traces?spans=roots&application=service-1&status=error&limit=100',
  },
  { page: 'traces by an operation', path: 'traces?spans=roots&operation=GET%20%2F7&limit=100' },
  { page: 'traces by an attribute', path: 'traces?spans=all&attribute=shelf%3D7&limit=100' },
  { page: 'traces by their duration', path: 'traces?spans=roots&min_ms=395&limit=100' },
  { page: 'spans of all kinds', path: 'traces?spans=all&limit=100' },
  { page: 'the heat map of traces', path: 'traces/durations?spans=roots' },
  { page: 'the heat map of all spans', path: 'traces/durations?spans=all' },
  { page: 'the heat map of an application', path: 'traces/durations?spans=roots&application=service-1' },
  { page: 'the heat map of an operation', path: 'traces/durations?spans=all&operation=GET%20%2F7' },
  {
    page: 'the heat map of spans by an attribute',
    path: 'traces/durations?spans=all&attribute=shelf%3D7',
  },
  {
    page: 'the heat map of traces by an attribute',
    path: 'traces/durations?spans=roots&attribute=shelf%3D7',
  },
  { page: 'a trace', path: `traces/${trace}` },
  { page: 'a trace as OTLP/JSON', path: `traces/${trace}/otlp` },
  { page: 'events', path: 'events?limit=200' },
  { page: 'a metric of events', path: 'events/series?metric=metric-2' },
  { page: 'a metric of events of a cluster', path: 'events/series?metric=metric-2&cluster=cluster-1' },
  { page: 'clusters', path: 'clusters' },
  { page: 'a cluster', path: cluster },
  { page: 'the score of a cluster over time', path: `${cluster}/series?figure=score` },
  { page: 'the last score of a cluster', path: `${cluster}/health?limit=1` },
  { page: 'nodes', path: `${cluster}/nodes?limit=1000` },
  { page: 'data nodes by their heap', path: `${cluster}/nodes?role=data&sort=heap` },
  { page: 'nodes over time', path: `${cluster}/nodes/series?figure=fs_used_ratio` },
  { page: 'indices', path: `${cluster}/indices?limit=200` },
  { page: 'yellow indices by their latency', path: `${cluster}/indices?health=yellow&sort=query_latency` },
  { page: 'slow indices', path: `${cluster}/indices?slow=true&sort=name` },
  { page: 'indices over time', path: `${cluster}/indices/series?figure=queries_per_second` },
  { page: 'shards', path: `${cluster}/shards?limit=200` },
  { page: 'shards of an index', path: `${cluster}/shards?index=orders-2026.11` },
  { page: 'shards of a node', path: `${cluster}/shards?node=search-1` },
  { page: 'unassigned shards', path: `${cluster}/unassigned` },
  { page: 'tasks', path: `${cluster}/tasks` },
  { page: 'tasks that wait for the master', path: `${cluster}/tasks?pending=true` },
  { page: 'recoveries', path: `${cluster}/recoveries` },
  { page: 'data streams', path: `${cluster}/data-streams` },
  { page: 'what happened to a cluster', path: `${cluster}/timeline` },
  { page: 'slow operations', path: `${slow}?limit=100` },
  { page: 'slow operations, slowest first', path: `${slow}?sort=slowest&limit=100` },
  { page: 'slow operations of an index', path: `${slow}?index=catalogue&limit=100` },
  { page: 'slow operations of a node', path: `${slow}?node=search-1&kind=search&min_took_ms=500` },
  { page: 'slow operations of a shape', path: `${slow}?shape=${shape}&limit=100` },
  { page: 'a slow operation', path: `${slow}/${operation}` },
  { page: 'shapes of slow operations', path: `${slow}/summary` },
  { page: 'shapes of an index', path: `${slow}/summary?index=catalogue&min_took_ms=500` },
  { page: 'one shape', path: `${slow}/summary?shape=${shape}` },
  { page: 'the pipeline', path: 'pipeline' },
  { page: 'dead letters', path: 'dead-letters' },
  { page: 'replays', path: 'replays' },
  { page: 'keys', path: 'keys' },
  { page: 'agents', path: 'agents' },
  { page: 'scorers', path: 'monitoring/metrics/scorers' },
  { page: 'people', path: 'sessions' },
  { page: 'settings', path: 'settings' },
];
