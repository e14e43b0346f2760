import { parameterRef, schemaRef, type Operation, type PathItem, type Schema } from './document-types.js';
import { commonHeaders, problems } from './problems.js';

const connectionKinds = [
  'ok',
  'connection_refused',
  'authentication_failed',
  'permission_denied',
  'tls_error',
  'timeout',
  'unsupported_endpoint',
];

const text = (description: string): Schema => ({ type: ['string', 'null'], description });

export const integrationSchemas: Readonly<Record<string, Schema>> = {
  ConnectionTest: {
    type: 'object',
    description: 'What a connection test found. Null if it did not get that far.',
    properties: {
      ok: { type: 'boolean' },
      kind: { enum: connectionKinds },
      clusterName: text('The cluster’s own name.'),
      version: text('Such as `8.14.1`.'),
      status: {
        enum: ['green', 'yellow', 'red', null],
        description: 'Null also while no master is elected.',
      },
      nodes: { type: ['integer', 'null'], minimum: 0 },
      message: {
        type: 'string',
        minLength: 1,
        description: 'What was found, and the cure. Holds no secret.',
      },
    },
    required: ['ok', 'kind', 'clusterName', 'version', 'status', 'nodes', 'message'],
    additionalProperties: false,
  },
  HotThreads: {
    type: 'object',
    properties: {
      ok: { type: 'boolean' },
      kind: { enum: connectionKinds },
      hotThreads: text('What the busiest threads of each node do, as the cluster writes it.'),
      message: { type: 'string', minLength: 1 },
    },
    required: ['ok', 'kind', 'hotThreads', 'message'],
    additionalProperties: false,
  },
};

function eachCluster(operationId: string, summary: string, description: string, name: string): Operation {
  const result = schemaRef(name);
  return {
    operationId,
    tags: ['Search clusters'],
    summary,
    description: `${description} An array in integration.json gives an array, in its order.`,
    parameters: [parameterRef('RequestId')],
    responses: {
      '200': {
        description: 'Whatever was found: an unreachable cluster is a result too.',
        headers: commonHeaders,
        content: { 'application/json': { schema: { anyOf: [result, { type: 'array', items: result }] } } },
      },
      ...problems('BadRequest', 'Unauthorized', 'NotFound', 'RequestTimeout', 'Invalid', 'HeadersTooLarge'),
    },
  };
}

export const integrationPaths: Readonly<Record<string, PathItem>> = {
  '/integrations/elasticsearch/test': {
    post: eachCluster(
      'testConnection',
      'Whether the clusters of integration.json can be watched',
      'Asks each cluster for its identity and health; reads only, and takes no body. 404 if there is no file, 422 if it is not valid.',
      'ConnectionTest',
    ),
  },
  '/integrations/elasticsearch/hot-threads': {
    get: eachCluster(
      'getHotThreads',
      'What the busiest threads of each node do now',
      'The cluster is asked only on demand; answering takes it half a second.',
      'HotThreads',
    ),
  },
};
