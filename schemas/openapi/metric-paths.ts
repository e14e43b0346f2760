import {
  acceptedMessage,
  combined,
  metricDeclarations,
  metricKeys,
  type MetricDeclaration,
  type MetricKey,
} from '../metrics.js';
import {
  headerRef,
  parameterRef,
  schemaRef,
  type Json,
  type Operation,
  type ParameterObject,
  type PathItem,
  type ResponseObject,
  type Schema,
} from './document-types.js';
import { taskLinks } from './links.js';
import { exampleOf, metricsSchema, nameOf } from './metric-objects.js';
import { commonHeaders, problems, rateLimitHeaders } from './problems.js';

const root = '/api/v1/monitoring/metrics';
const taskId = '3b9b5b0e-6f0c-4a57-9d0c-0f5c1d7c2a44';
const prompt = 'I love how quickly your support team answered.';
const response = 'Thank you for your kind words.';

interface Endpoint {
  readonly path: string;
  readonly title: string;
  readonly name: string;
  readonly response: MetricDeclaration['response'];
  readonly metric: MetricKey | typeof combined;
}

const endpoints: readonly Endpoint[] = [
  { path: root, title: 'all metrics', name: 'AllMetrics', response: 'optional', metric: combined },
  ...metricDeclarations.map((declaration) => ({
    path: `${root}/${declaration.path}`,
    title: declaration.title,
    name: nameOf(declaration.key),
    response: declaration.response,
    metric: declaration.key,
  })),
];

export const metricParameters: Readonly<Record<string, ParameterObject>> = {
  RequestId: parameter(
    'X-Request-Id',
    'Any value is accepted. The answer repeats it if it has 1 to 128 of `A-Z a-z 0-9 . _ ~ -` and does not contain `tt_`; any other is replaced by a new one.',
    { type: 'string' },
    'b7c1f0de-6d0f-4c5a-9b53-3f6f2b1a7e10',
  ),
  ContentEncoding: parameter('Content-Encoding', 'How the body is compressed.', {
    type: 'string',
    enum: ['gzip', 'deflate', 'identity'],
  }),
  Prefer: parameter(
    'Prefer',
    '`wait=<seconds>` asks for a shorter deadline than the standard one (30 s).',
    { type: 'string', pattern: '^wait=\\d{1,5}(\\.\\d{1,3})?$' },
    'wait=5',
  ),
  IdempotencyKey: parameter(
    'Idempotency-Key',
    'The same key and body within a day give the same task, and store the same events once; the same key with another body gives 409.',
    { type: 'string', pattern: '^[\\x21-\\x7E]{1,255}$' },
    'order-7',
  ),
  TaskId: {
    name: 'task_id',
    in: 'path',
    required: true,
    description: 'Handle of the task.',
    schema: { type: 'string', format: 'uuid' },
    example: taskId,
  },
};

function parameter(name: string, description: string, schema: Schema, example?: Json): ParameterObject {
  return {
    name,
    in: 'header',
    required: false,
    description,
    schema,
    ...(example === undefined ? {} : { example }),
  };
}

const requestNames = {
  required: 'PromptAndResponse',
  optional: 'PromptAndOptionalResponse',
  echoed: 'PromptWithEchoedResponse',
} as const;

const nullableText: Json = { anyOf: [schemaRef('Text'), { type: 'null' }] };
const promptText: Json = { ...schemaRef('Text'), minLength: 1 };

export const metricSchemas: Readonly<Record<string, Schema>> = {
  Text: { type: 'string', maxLength: 100_000, description: 'Length counts in Unicode code points.' },
  PromptAndResponse: {
    type: 'object',
    description: 'Other fields are ignored.',
    properties: { prompt: promptText, response: schemaRef('Text') },
    required: ['prompt', 'response'],
  },
  PromptAndOptionalResponse: {
    type: 'object',
    description: 'Values that need a response are null without one. Other fields are ignored.',
    properties: { prompt: promptText, response: nullableText },
    required: ['prompt'],
  },
  PromptWithEchoedResponse: {
    type: 'object',
    description: 'A response is echoed and not scored. Other fields are ignored.',
    properties: { prompt: promptText, response: nullableText },
    required: ['prompt'],
  },
  TaskAccepted: {
    type: 'object',
    properties: {
      status: { const: 'queued' },
      message: { enum: ([combined, ...metricKeys] as const).map((metric) => acceptedMessage(metric)) },
      task_id: { type: 'string', format: 'uuid' },
    },
    required: ['status', 'message', 'task_id'],
    additionalProperties: false,
  },
  TaskStatus: {
    oneOf: [
      taskState(['queued', 'processing']),
      taskState(['processed'], {
        result: { anyOf: endpoints.map(({ name }) => schemaRef(`${name}Result`)) },
      }),
      taskState(['failed'], { error: { type: 'string', minLength: 1 } }),
    ],
  },
  ...Object.fromEntries(endpoints.map((endpoint) => [`${endpoint.name}Result`, resultSchema(endpoint)])),
};

function taskState(states: readonly string[], more: Schema = {}): Schema {
  return {
    type: 'object',
    properties: {
      task_id: { type: 'string', format: 'uuid' },
      status: { enum: states },
      message: { type: 'string', minLength: 1 },
      ...more,
    },
    required: ['task_id', 'status', 'message', ...Object.keys(more)],
    additionalProperties: false,
  };
}

function resultSchema({ metric }: Endpoint): Schema {
  const metrics = metric === combined ? metricsSchema(metricKeys, true) : metricsSchema([metric], false);
  return {
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      prompt: { type: 'string' },
      response: { type: ['string', 'null'] },
      metrics,
    },
    required: ['id', 'prompt', 'response', 'metrics'],
    additionalProperties: false,
  };
}

function resultExample({ metric, response: rule }: Endpoint): Json {
  const keys = metric === combined ? metricKeys : [metric];
  return {
    id: taskId,
    prompt,
    response: rule === 'echoed' ? null : response,
    metrics: Object.fromEntries(keys.map((key) => [key, exampleOf(key, metric === combined)])),
  };
}

export const shared = [
  'BadRequest',
  'Unauthorized',
  'Forbidden',
  'RequestTimeout',
  'TooManyRequests',
  'HeadersTooLarge',
] as const;
export const ofBody = ['BodyTooLarge', 'UnsupportedMediaType', 'Invalid'] as const;

function callOperation(endpoint: Endpoint): Operation {
  return {
    operationId: `score${endpoint.name}`,
    tags: ['Real-time'],
    summary: `Score at once: ${endpoint.title}`,
    description: 'Waits for the result. `Idempotency-Key` has no effect here: a call creates no task.',
    parameters: ['RequestId', 'ContentEncoding', 'Prefer'].map(parameterRef),
    requestBody: requestBody(endpoint),
    responses: {
      '200': answer('The result.', schemaRef(`${endpoint.name}Result`), resultExample(endpoint), {
        'Preference-Applied': headerRef('PreferenceApplied'),
      }),
      ...problems(...shared, ...ofBody, 'MetricUnavailable', 'DeadlineExceeded'),
    },
  };
}

function taskOperation(endpoint: Endpoint): Operation {
  const message = acceptedMessage(endpoint.metric);
  return {
    operationId: `queue${endpoint.name}`,
    tags: ['Tasks'],
    summary: `Queue a task: ${endpoint.title}`,
    description: 'Answered once every in-sync replica has the task.',
    parameters: ['RequestId', 'ContentEncoding', 'IdempotencyKey'].map(parameterRef),
    requestBody: requestBody(endpoint),
    responses: {
      '202': {
        ...answer(
          'The task is stored.',
          { allOf: [schemaRef('TaskAccepted')], properties: { message: { const: message } } },
          { status: 'queued', message, task_id: taskId },
          { Location: headerRef('Location') },
        ),
        links: taskLinks('/task_id'),
      },
      ...problems(...shared, ...ofBody, 'IdempotencyConflict', 'Unavailable'),
    },
  };
}

function requestBody(endpoint: Endpoint): NonNullable<Operation['requestBody']> {
  const schema = schemaRef(requestNames[endpoint.response]);
  const example = endpoint.response === 'echoed' ? { prompt } : { prompt, response };
  return { required: true, content: { 'application/json': { schema, example } } };
}

export function answer(
  description: string,
  schema: Schema,
  example: Json,
  headers: ResponseObject['headers'] = {},
): ResponseObject {
  return {
    description,
    headers: { ...commonHeaders, ...rateLimitHeaders, ...headers },
    content: { 'application/json': { schema, example } },
  };
}

const statusOperation: Operation = {
  operationId: 'getTaskStatus',
  tags: ['Tasks'],
  summary: 'The state of a task',
  description: 'A task that was just accepted is found at once, on every edge. Kept 7 days.',
  security: [{ apiKey: ['metrics'] }, { apiKey: ['read'] }],
  parameters: ['TaskId', 'RequestId'].map(parameterRef),
  responses: {
    '200': answer('The status.', schemaRef('TaskStatus'), {
      task_id: taskId,
      status: 'queued',
      message: acceptedMessage('text_metrics'),
    }),
    ...problems(...shared, 'NotFound', 'Unavailable'),
  },
};

export const metricPaths: Readonly<Record<string, PathItem>> = {
  ...Object.fromEntries(
    endpoints.flatMap((endpoint): [string, PathItem][] => [
      [endpoint.path, { post: callOperation(endpoint) }],
      [`${endpoint.path}/task`, { post: taskOperation(endpoint) }],
    ]),
  ),
  [`${root}/task/{task_id}/status`]: { get: statusOperation },
};
