import { batchParameters } from './batch-paths.js';
import { intakePaths, intakeSchemas, traceProblemResponses } from './agent-intake-paths.js';
import { integrationPaths, integrationSchemas } from './agent-integration-paths.js';
import {
  parameterRef,
  type OpenApiDocument,
  type Operation,
  type PathItem,
  type ResponseObject,
  type Schema,
} from './document-types.js';
import { license } from './license.js';
import { metricParameters } from './metric-paths.js';
import { operationPaths } from './operation-paths.js';
import { commonHeaders, headers, problemResponses, problems, problemSchema } from './problems.js';

const description = [
  'Runs on your host: accepts custom events and traces from its programs, watches search clusters, and sends everything to the Telltale server. Whatever it answers with 200 is on the server or on its disk.',
  'It answers to loopback names and its own. It refuses web pages of other origins unless they are listed; `OPTIONS` answers the preflight of a listed one.',
  'Errors are problem details (RFC 9457), except on the trace paths: there they are a `google.rpc.Status`. Bodies are JSON in UTF-8, at most 16 MiB before and after decompression.',
].join('\n\n');

const status: Operation = {
  operationId: 'getStatus',
  tags: ['Operations'],
  summary: 'What the agent does now, component by component',
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': {
      description: 'Its components, its spool and what is sent. Holds no secrets.',
      headers: commonHeaders,
      content: {
        'application/json': {
          schema: { type: 'object', properties: { parts: { type: 'object' } }, required: ['parts'] },
        },
      },
    },
    ...problems('BadRequest', 'Unauthorized', 'RequestTimeout', 'HeadersTooLarge'),
  },
};

const tokenIfSet: OpenApiDocument['security'] = [{}, { token: [] }];

/** The edge's operations that the agent also has. Those without authentication stay open. */
function operations(): Readonly<Record<string, PathItem>> {
  const {
    '/livez': livez,
    '/readyz': readyz,
    '/metrics': metrics,
    '/openapi.json': document,
  } = operationPaths;
  const withToken = (item: PathItem | undefined, description: string): PathItem => {
    if (item?.get === undefined) throw new RangeError('the path is not among the operations of the edge');
    const responses = { ...item.get.responses, ...problems('Unauthorized') };
    return { get: { ...item.get, description, security: tokenIfSet, responses } };
  };
  if (livez === undefined || readyz === undefined) throw new RangeError('the edge has no health paths');
  return {
    '/livez': livez,
    '/readyz': readyz,
    '/metrics': withToken(metrics, 'If METRICS_TOKEN is set, it is required instead of the token.'),
    '/openapi.json': withToken(document, 'With the address of this agent.'),
    '/status': { get: status },
  };
}

/** Every path refuses web pages of other origins, and requests to hosts that are not the agent's. */
function closedToStrangers(item: PathItem): PathItem {
  const close = ([method, operation]: [string, Operation]): [string, Operation] => [
    method,
    { ...operation, responses: { ...problems('NotOpen', 'Misdirected'), ...operation.responses } },
  ];
  return Object.fromEntries(Object.entries(item).map(close));
}

const paths: Readonly<Record<string, PathItem>> = Object.fromEntries(
  Object.entries({ ...intakePaths, ...integrationPaths, ...operations() }).map(([path, item]) => [
    path,
    closedToStrangers(item),
  ]),
);
const schemas: Readonly<Record<string, Schema>> = {
  ...intakeSchemas,
  ...integrationSchemas,
  Problem: problemSchema,
};
const responses: Readonly<Record<string, ResponseObject>> = {
  ...problemResponses,
  ...traceProblemResponses,
  Unauthorized: tokenRefused(),
};

function tokenRefused(): ResponseObject {
  const { Unauthorized } = problemResponses;
  if (Unauthorized === undefined) throw new RangeError('there is no problem Unauthorized');
  return {
    ...Unauthorized,
    description: 'The agent requires its token, and this is a different one or none.',
  };
}

/** The components that `by` references: the shared lists have more than the agent needs. */
function used<Component>(
  kind: string,
  all: Readonly<Record<string, Component>>,
  by: unknown,
): Record<string, Component> {
  const text = JSON.stringify(by);
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => text.includes(`#/components/${kind}/${name}"`)),
  );
}

/** The answer to a method without an operation, so nothing references it. */
const { MethodNotAllowed = tokenRefused() } = problemResponses;
const usedResponses = { ...used('responses', responses, paths), MethodNotAllowed };
const parameters = used('parameters', { ...metricParameters, ...batchParameters }, paths);

/** The OpenAPI document of the agent. `npm run generate` writes it to agent.json; a test compares the two. */
export const agentDocument: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Telltale agent', version: '1', description, license },
  servers: [{ url: 'http://127.0.0.1:3774', description: 'The agent, unless configured otherwise.' }],
  tags: [
    { name: 'Events', description: 'Custom events.' },
    { name: 'Traces', description: 'OpenTelemetry traces, as OTLP/JSON.' },
    { name: 'Search clusters', description: 'The clusters of integration.json.' },
    { name: 'Operations', description: 'For operators and tools.' },
  ],
  security: tokenIfSet,
  paths,
  components: {
    schemas,
    responses: usedResponses,
    headers: used('headers', headers, [paths, usedResponses]),
    parameters,
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description: 'If AGENT_TOKEN is set; otherwise no token is required.',
      },
    },
  },
};
