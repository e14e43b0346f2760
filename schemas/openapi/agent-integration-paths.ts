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
    description: 'What a connection test found. Null where it did not get that far.',
    properties: {
      ok: { type: 'boolean' },
      kind: { enum: connectionKinds },
      clusterName: text('As the cluster calls itself.'),
      version: text('As in `8.14.1`.'),
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
        description: 'Whatever was found: a cluster that is out of reach is a result too.',
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
      'Asks each cluster who and how it is; reads only, and takes no body. 404 where there is no file, 422 where it is not valid.',
      'ConnectionTest',
    ),
  },
  '/integrations/elasticsearch/hot-threads': {
    get: eachCluster(
      'getHotThreads',
      'What the busiest threads of each node do now',
      'Asked of the cluster on demand alone, which takes it half a second.',
      'HotThreads',
    ),
  },
};
