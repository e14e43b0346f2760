import { agentsPath, longestAgentId, longestReportSeconds } from '../agent-report.js';
import { hotThreadsKind } from '../hot-threads.js';
import { lastInstant } from '../snapshots/fields.js';
import {
  parameterRef,
  schemaRef,
  type Json,
  type Operation,
  type PathItem,
  type Schema,
} from './document-types.js';
import { askedExample, askedSchema } from './hot-threads-paths.js';
import { answer, shared } from './metric-paths.js';
import { commonHeaders, problems, rateLimitHeaders } from './problems.js';
import { closed, count, nullableText, nullableTimestamp, text, timestamp } from './schema-kinds.js';

const instant: Schema = { type: 'integer', minimum: 0, maximum: lastInstant };
const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** The properties that a report and its view share; `at` is the schema of a timestamp in either. */
function sharedProperties(at: Schema, nullableAt: Schema): Readonly<Record<string, Schema>> {
  return {
    host: { ...text, description: 'Name of its host.' },
    version: text,
    started_at: at,
    spool: closed({
      bytes: { ...count, description: 'That its files take.' },
      limit_bytes: { ...count, description: '`AGENT_SPOOL_BYTES`.' },
      unsent_bytes: { ...count, description: 'That wait to be sent.' },
      oldest_at: {
        ...nullableAt,
        description: 'When the oldest item that waits was taken; null where none waits, or it is not known.',
      },
      oldest_unknown: { ...nullableText, description: 'Why it is not known.' },
    }),
    datasets: listOf(
      closed({
        name: { ...text, description: 'What it sends: events, spans, snapshots or slow operations.' },
        state: text,
        unsent_bytes: count,
        last_arrival_at: { ...nullableAt, description: 'Since its start; null: nothing has arrived.' },
        reason: { ...nullableText, description: 'Why it waits; null where it does not.' },
      }),
    ),
    components: listOf(
      closed({ name: text, problem: { ...nullableText, description: 'Null where it works.' } }),
    ),
    clusters: {
      ...listOf(
        closed({
          endpoint: text,
          cluster_uuid: nullableText,
          cluster_name: nullableText,
          state: { ...text, description: '`watching`, or what stands in the way.' },
          reason: nullableText,
        }),
      ),
      description: 'The search clusters that it watches.',
    },
    connection_tests: {
      ...listOf(closed({ endpoint: text, at, ok: { type: 'boolean' }, kind: text, message: text })),
      description: 'The last result of the connection test of each cluster, since its start.',
    },
  };
}

const agentId: Schema = {
  ...text,
  minLength: 1,
  maxLength: longestAgentId,
  description: 'Drawn by the agent once, and kept in its folder.',
};

/** Allows additional properties at every depth, because reports of newer agents are accepted. */
const open = (schema: Schema): Schema =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => name !== 'additionalProperties')
      .map(([name, value]) => [
        name,
        typeof value === 'object' && value !== null && !Array.isArray(value) ? open(value as Schema) : value,
      ]),
  );

const required = closed(
  {
    agent_id: agentId,
    every_seconds: {
      type: 'integer',
      minimum: 1,
      maximum: longestReportSeconds,
      description: 'After how long it reports again.',
    },
    stopping: { type: 'boolean', description: 'The last report before an orderly end.' },
    ...sharedProperties(instant, { ...instant, type: ['integer', 'null'] }),
  },
  'What an agent says of itself. Timestamps are milliseconds since 1970.',
);

export const agentReportSchemas: Readonly<Record<string, Schema>> = {
  AgentReport: open({
    ...required,
    properties: {
      ...(required['properties'] as Schema),
      answers: {
        ...listOf(text),
        description: 'What it can be asked: `hot-threads`. Absent: nothing.',
      },
    },
  }),
  Agent: closed({
    agent_id: agentId,
    state: {
      enum: ['reporting', 'silent', 'stopped'],
      description:
        '`silent`: three reports are overdue, and it is late by 90 s at least. `stopped`: it has ended in an orderly way.',
    },
    last_seen_at: timestamp,
    is_older_than_server: { type: 'boolean', description: 'Its version is older than that of this edge.' },
    ...sharedProperties(timestamp, nullableTimestamp),
  }),
};

const reportExample = {
  agent_id: '0b0e6f4a-6a57-4f0e-9d0c-0f5c1d7c2a44',
  host: 'es1.example.org',
  version: '0.1.0',
  started_at: 1_768_478_400_000,
  every_seconds: 30,
  stopping: false,
  spool: {
    ...{ bytes: 52_480, limit_bytes: 1_073_741_824, unsent_bytes: 4_096 },
    ...{ oldest_at: 1_768_478_460_000, oldest_unknown: null },
  },
  datasets: [
    {
      ...{ name: 'snapshots', state: 'waiting to try again', unsent_bytes: 4_096 },
      ...{ last_arrival_at: 1_768_478_455_000, reason: 'the server cannot be reached' },
    },
  ],
  components: [{ name: 'collectors', problem: null }],
  clusters: [
    {
      ...{ endpoint: 'https://es1.example.org:9200', cluster_uuid: 'mYp0fDbRTS2XqYAtqAgGnA' },
      ...{ cluster_name: 'production', state: 'watching', reason: null },
    },
  ],
  answers: [hotThreadsKind],
  connection_tests: [
    {
      ...{ endpoint: 'https://es1.example.org:9200', at: 1_768_478_410_000, ok: true, kind: 'ok' },
      message: 'Connected to cluster production (8.19.2): green, 3 nodes.',
    },
  ],
};

const iso = (ms: number): string => new Date(ms).toISOString();

/** An answer of the operation. */
const agentsExample: Json = {
  server_version: '0.1.0',
  agents: [
    {
      ...{ agent_id: reportExample.agent_id, state: 'reporting', last_seen_at: '2026-01-15T12:01:30.000Z' },
      ...{ is_older_than_server: false, host: reportExample.host, version: '0.1.0' },
      started_at: iso(reportExample.started_at),
      spool: { ...reportExample.spool, oldest_at: iso(reportExample.spool.oldest_at) },
      datasets: reportExample.datasets.map((one) => ({
        ...one,
        last_arrival_at: iso(one.last_arrival_at),
      })),
      components: reportExample.components,
      clusters: reportExample.clusters,
      connection_tests: reportExample.connection_tests.map((one) => ({ ...one, at: iso(one.at) })),
    },
  ],
  cut: false,
};

const report: Operation = {
  operationId: 'reportAgent',
  tags: ['Agents'],
  summary: 'An agent says how it is',
  description:
    'Each report takes the place of the one before. At most 256 KiB. The answer has what somebody asks the agent, where it can be asked.',
  security: [{ apiKey: ['agent'] }],
  parameters: ['RequestId', 'ContentEncoding'].map(parameterRef),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: schemaRef('AgentReport'), example: reportExample } },
  },
  responses: {
    '200': answer('The report is kept, and the agent is asked.', askedSchema, askedExample),
    '204': { description: 'The report is kept.', headers: { ...commonHeaders, ...rateLimitHeaders } },
    ...problems(...shared, 'BodyTooLarge', 'UnsupportedMediaType', 'Invalid', 'Unavailable'),
  },
};

const list: Operation = {
  operationId: 'listAgents',
  tags: ['Agents'],
  summary: 'The agents that were heard of within a week, the last one first',
  description: 'As they say it themselves, every 30 s; 500 at most, silent ones first.',
  security: [{ apiKey: ['read'] }],
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': answer(
      'The agents of the workspace.',
      closed({
        server_version: text,
        agents: listOf(schemaRef('Agent')),
        cut: { type: 'boolean', description: 'There are more than are listed.' },
      }),
      agentsExample,
    ),
    ...problems(...shared),
  },
};

export const agentReportPaths: Readonly<Record<string, PathItem>> = {
  [agentsPath]: { get: list, post: report },
};
