import { agentParameters, agentPaths, agentSchemas } from './agent-paths.js';
import { agentReportPaths, agentReportSchemas } from './agent-report-paths.js';
import { clusterInsightParameters, clusterInsightPaths } from './cluster-insight-paths.js';
import { clusterInsightSchemas } from './cluster-insight-schemas.js';
import { clusterParameters, clusterPaths } from './cluster-paths.js';
import { clusterSchemas } from './cluster-schemas.js';
import { deadLetterPaths, deadLetterSchemas } from './dead-letter-paths.js';
import { hotThreadsPaths, hotThreadsSchemas } from './hot-threads-paths.js';
import { replayPaths, replaySchemas } from './replay-paths.js';
import type { OpenApiDocument } from './document-types.js';
import { batchParameters, batchPaths, batchSchemas } from './batch-paths.js';
import { eventPaths, eventSchemas } from './event-paths.js';
import { keyParameters, keyPaths, keySchemas } from './key-paths.js';
import { metricObjectSchemas } from './metric-objects.js';
import { metricParameters, metricPaths, metricSchemas } from './metric-paths.js';
import { operationPaths } from './operation-paths.js';
import { license } from './license.js';
import { headers, problemResponses, problemSchema } from './problems.js';
import { findParameters, findPaths, findSchemas } from './find-paths.js';
import { pipelinePaths, pipelineSchemas } from './pipeline-paths.js';
import { peopleParameters, peoplePaths, peopleSchemas } from './people-paths.js';
import { newestPaths } from './newest-paths.js';
import { settingsPaths, settingsSchemas } from './settings-paths.js';
import { resultParameters, resultPaths, resultSchemas } from './result-paths.js';
import { hopPaths, hopSchemas } from './hop-paths.js';
import { trendParameters, trendPaths, trendSchemas } from './trend-paths.js';
import { scorerPaths, scorerSchemas } from './scorer-paths.js';
import { eventReadParameters, eventReadPaths, eventReadSchemas } from './event-read-paths.js';
import { applicationPaths, applicationSchemas } from './application-paths.js';
import { traceParameters, tracePaths, traceSchemas } from './trace-paths.js';

const description = [
  'Scores prompts and responses of language models: quality and safety metrics, at once (real-time) or queued (tasks).',
  'Errors are problem details (RFC 9457) with a `request_id`. An unknown path is answered 404, a method that a path does not support 405 with `Allow`; `HEAD` works wherever `GET` does, and `OPTIONS` lists the methods.',
  'Bodies are JSON in UTF-8, at most 1 MiB (a batch of tasks 4 MiB, one of an agent 16 MiB) before and after decompression; a byte order mark is skipped, the last of duplicate keys counts, and a lone surrogate becomes U+FFFD.',
].join('\n\n');

/** The OpenAPI document of the edge. `npm run generate` writes it to edge.json; a test compares the two. */
export const edgeDocument: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Telltale', version: '1', description, license },
  servers: [{ url: 'http://127.0.0.1:8080', description: 'The edge that `npm start` runs.' }],
  tags: [
    { name: 'Real-time', description: 'The result comes in the same call.' },
    { name: 'Tasks', description: 'Work is queued, and the result is read later.' },
    { name: 'Events', description: 'Custom events; for keys with the scope `events`.' },
    {
      name: 'Agents',
      description:
        'What agents send, for keys with the scope `agent`; and their state, for keys with the scope `read`.',
    },
    { name: 'Scorers', description: 'What computes the metrics.' },
    { name: 'Clusters', description: 'Search clusters that agents watch; for keys with the scope `read`.' },
    { name: 'Results', description: 'Scored prompts as they are stored; for keys with the scope `read`.' },
    { name: 'Operating', description: 'The state of the pipeline; for keys with the scope `read`.' },
    { name: 'Applications', description: 'Requests of applications; for keys with the scope `read`.' },
    { name: 'Traces', description: 'Traces as they are stored; for keys with the scope `read`.' },
    { name: 'People', description: 'Sessions of the dashboard; for keys with the scope `admin`.' },
    { name: 'Keys', description: 'API keys of the workspace; for keys with the scope `admin`.' },
    {
      name: 'Dead letters',
      description: 'Records that cannot be processed; for keys with the scope `admin`.',
    },
    { name: 'Operations', description: 'For operators and tools; without a key.' },
  ],
  security: [{ apiKey: ['metrics'] }],
  paths: {
    ...metricPaths,
    ...batchPaths,
    ...scorerPaths,
    ...eventPaths,
    ...agentPaths,
    ...agentReportPaths,
    ...clusterPaths,
    ...clusterInsightPaths,
    ...hotThreadsPaths,
    ...trendPaths,
    ...hopPaths,
    ...resultPaths,
    ...pipelinePaths,
    ...newestPaths,
    ...eventReadPaths,
    ...applicationPaths,
    ...tracePaths,
    ...findPaths,
    ...keyPaths,
    ...peoplePaths,
    ...settingsPaths,
    ...deadLetterPaths,
    ...replayPaths,
    ...operationPaths,
  },
  components: {
    schemas: {
      ...metricSchemas,
      ...batchSchemas,
      ...scorerSchemas,
      ...metricObjectSchemas(),
      ...eventSchemas,
      ...agentSchemas,
      ...agentReportSchemas,
      ...clusterSchemas,
      ...clusterInsightSchemas,
      ...hotThreadsSchemas,
      ...resultSchemas,
      ...trendSchemas,
      ...hopSchemas,
      ...pipelineSchemas,
      ...eventReadSchemas,
      ...applicationSchemas,
      ...traceSchemas,
      ...findSchemas,
      ...keySchemas,
      ...peopleSchemas,
      ...settingsSchemas,
      ...deadLetterSchemas,
      ...replaySchemas,
      Problem: problemSchema,
    },
    responses: problemResponses,
    headers,
    parameters: {
      ...metricParameters,
      ...batchParameters,
      ...agentParameters,
      ...clusterParameters,
      ...clusterInsightParameters,
      ...resultParameters,
      ...trendParameters,
      ...eventReadParameters,
      ...traceParameters,
      ...findParameters,
      ...keyParameters,
      ...peopleParameters,
    },
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'tt_<key id>_<secret>',
        description: 'An API key. The scopes: metrics, events, agent, read, admin.',
      },
      metricsToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'METRICS_TOKEN of the edge, if it is set.',
      },
      apiKeyInQuery: {
        type: 'apiKey',
        in: 'query',
        name: 'apiKey',
        description:
          'The same in the URL, only for custom events. Telltale does not log it, but proxies may.',
      },
    },
  },
};
