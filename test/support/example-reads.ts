import type { ClusterOf, ClusterReader } from '../../http-edge/clusters/cluster-reader.js';
import type { EdgePorts } from '../../http-edge/ports.js';
import { TelltaleError } from '../../runtime/errors.js';
import { clusterExamples, exampleClusterUuid } from '../../schemas/openapi/cluster-examples.js';
import { clusterInsightExamples } from '../../schemas/openapi/cluster-insight-paths.js';
import { deadLetterExample } from '../../schemas/openapi/dead-letter-paths.js';
import { foundExample } from '../../schemas/openapi/find-paths.js';
import { newestExample } from '../../schemas/openapi/newest-paths.js';
import { pipelineExample } from '../../schemas/openapi/pipeline-paths.js';
import { settingsExample } from '../../schemas/openapi/settings-paths.js';
import { resultExamples } from '../../schemas/openapi/result-paths.js';
import { hopTimesExample } from '../../schemas/openapi/hop-paths.js';
import { exampleSlowOperationId } from '../../schemas/openapi/slow-operation-schema.js';
import { trendExample } from '../../schemas/openapi/trend-paths.js';
import { eventReadExamples } from '../../schemas/openapi/event-read-paths.js';
import { applicationExamples } from '../../schemas/openapi/application-paths.js';
import { exampleTraceId, traceExamples } from '../../schemas/openapi/trace-paths.js';

type ExampleReads = Pick<
  EdgePorts,
  | 'deadLetters'
  | 'clusters'
  | 'results'
  | 'pipeline'
  | 'newest'
  | 'storedEvents'
  | 'applications'
  | 'traces'
  | 'finder'
  | 'retention'
>;

/** Reads that answer with the document's examples; for results and `find`, only for existing tasks. */
export function exampleReads(isTaskOf: (workspace: string, id: string) => boolean): ExampleReads {
  return {
    deadLetters: {
      read: () =>
        Promise.resolve({ groups: deadLetterExample.dead_letters, newest: deadLetterExample.newest }),
      replay: (filter) =>
        Promise.resolve({ done: 1, left: 0, before: [], unknown: [...(filter.ids ?? [])].slice(1) }),
    },
    clusters: exampleClusters(),
    results: {
      list: () => Promise.resolve(resultExamples.list as object),
      trends: () => Promise.resolve(trendExample as object),
      hopTimes: () => Promise.resolve(hopTimesExample as object),
      one: (workspace, id) =>
        Promise.resolve(isTaskOf(workspace, id) ? { ...(resultExamples.one as object), id } : undefined),
    },
    pipeline: { read: () => Promise.resolve(pipelineExample as object) },
    newest: {
      read: () =>
        Promise.resolve({
          results: Date.parse(newestExample.result_at),
          events: Date.parse(newestExample.event_at),
          spans: null,
        }),
    },
    storedEvents: {
      metrics: () => Promise.resolve(eventReadExamples.metrics as object),
      series: () => Promise.resolve(eventReadExamples.series as object),
    },
    applications: {
      list: () => Promise.resolve(applicationExamples.list as object),
      operations: () => Promise.resolve(applicationExamples.operations as object),
      calls: () => Promise.resolve(applicationExamples.calls as object),
    },
    traces: {
      search: () => Promise.resolve(traceExamples.search as object),
      durations: () => Promise.resolve(traceExamples.durations as object),
      one: (_, trace) =>
        Promise.resolve(trace === exampleTraceId ? (traceExamples.one as object) : undefined),
      otlp: (_, trace) =>
        Promise.resolve(
          trace === exampleTraceId
            ? {
                request: traceExamples.otlp as object,
                next: 'w-1767323045678901234-1767323045678901234-eee19b7ec3c1b174',
              }
            : undefined,
        ),
    },
    finder: {
      find: (id, workspace) =>
        Promise.resolve(
          isTaskOf(workspace, id)
            ? { ...foundExample, id }
            : { outcome: 'not seen', detail: 'Nothing.', not_seen_since: null, complete: true },
        ),
    },
    retention: {
      topics: () => Promise.resolve(settingsExample.topics.kept),
      tables: () => Promise.reject(new TelltaleError('CLICKHOUSE_UNREACHABLE', { url: 'memory' })),
    },
  };
}

/** One cluster, as in the document's examples. */
function exampleClusters(): ClusterReader {
  const examples = { ...clusterExamples, ...clusterInsightExamples };
  const of = async ({ uuid }: ClusterOf, name: string): Promise<object | undefined> => {
    await Promise.resolve();
    return uuid === exampleClusterUuid ? (examples[name] as object) : undefined;
  };
  return {
    clusters: () => Promise.resolve(clusterExamples['clusters'] as object),
    cluster: (cluster) => of(cluster, 'cluster'),
    health: (cluster) => of(cluster, 'health'),
    list: of,
    dataStreams: (cluster) => of(cluster, 'data-streams'),
    unassigned: (cluster) => of(cluster, 'unassigned'),
    timeline: (cluster) => of(cluster, 'timeline'),
    series: (cluster) => of(cluster, 'series'),
    slowOperations: (cluster) => of(cluster, 'slow-operations'),
    slowOperation: (cluster, id) =>
      id === exampleSlowOperationId ? of(cluster, 'slow-operation') : Promise.resolve(undefined),
    slowSummary: (cluster) => of(cluster, 'slow-operations/summary'),
  };
}
