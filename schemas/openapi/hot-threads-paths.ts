import {
  hotThreadsAnswerPath,
  longestHost,
  longestHotThreads,
  longestId,
  longestMessage,
} from '../hot-threads.js';
import { exampleClusterUuid } from './cluster-examples.js';
import {
  headerRef,
  parameterRef,
  schemaRef,
  type Json,
  type Operation,
  type PathItem,
  type Schema,
} from './document-types.js';
import { answer, ofBody, shared } from './metric-paths.js';
import { commonHeaders, problems, rateLimitHeaders } from './problems.js';
import { closed, nullableText, nullableTimestamp, text, timestamp } from './schema-kinds.js';

const clusterUuid: Schema = { ...text, maxLength: longestId };
const questionId: Schema = { ...text, maxLength: longestId, description: 'Id of the question.' };

/** The edge's questions to an agent, in its answer to a report. */
export const askedSchema: Schema = closed({
  asked: {
    type: 'array',
    items: closed({
      kind: { ...text, description: '`hot-threads`. An agent ignores kinds that it does not know.' },
      question_id: questionId,
      cluster_uuid: clusterUuid,
    }),
  },
});

const exampleQuestionId = '7f9d8f9e-2f0b-4f5a-8d0e-6c2f6d1f3b55';

export const askedExample: Json = {
  asked: [{ kind: 'hot-threads', question_id: exampleQuestionId, cluster_uuid: exampleClusterUuid }],
};

export const hotThreadsSchemas: Readonly<Record<string, Schema>> = {
  HotThreadsAnswer: {
    type: 'object',
    description: 'What the cluster told an agent.',
    properties: {
      question_id: questionId,
      cluster_uuid: clusterUuid,
      host: { ...text, maxLength: longestHost, description: 'Host of the agent.' },
      hot_threads: {
        ...nullableText,
        maxLength: longestHotThreads,
        description: 'As the cluster writes them; null if they could not be read.',
      },
      message: { ...text, maxLength: longestMessage, description: 'What the agent says about it.' },
    },
    required: ['question_id', 'cluster_uuid', 'host', 'hot_threads', 'message'],
  },
  ClusterHotThreads: closed(
    {
      cluster_uuid: clusterUuid,
      status: {
        enum: ['waiting', 'answered', 'failed', 'expired'],
        description:
          '`failed`: the agent says why it has none. `expired`: no agent has answered within two minutes; an answer that comes later still counts.',
      },
      asked_at: timestamp,
      expires_at: { ...timestamp, description: 'No agent is asked after this.' },
      answered_at: nullableTimestamp,
      agent_host: { ...nullableText, description: 'Host of the agent that answered.' },
      hot_threads: {
        ...nullableText,
        description: `What the three busiest threads of each node did, as the cluster writes it; ${longestHotThreads} characters at most.`,
      },
      detail: { ...text, description: 'Which agent it waits for, which one answered, or why none did.' },
    },
    'The last question for the hot threads of a cluster.',
  ),
};

const waitingExample = {
  cluster_uuid: exampleClusterUuid,
  status: 'waiting',
  asked_at: '2026-01-15T12:00:00.000Z',
  expires_at: '2026-01-15T12:02:00.000Z',
  ...{ answered_at: null, agent_host: null, hot_threads: null },
  detail: 'The agent on es1.example.org will be asked when it next reports: it reports every 30 s.',
};

const answeredExample = {
  ...waitingExample,
  status: 'answered',
  answered_at: '2026-01-15T12:00:21.000Z',
  agent_host: 'es1.example.org',
  hot_threads:
    '::: {es1}{mYp0fDbRTS2XqYAtqAgGnA}\n   Hot threads at 2026-01-15T12:00:20.400Z, interval=500ms, busiestThreads=3, ignoreIdleThreads=true:\n',
  detail: 'Hot threads of https://es1.example.org:9200.',
};

const admin = [{ apiKey: ['admin'] }];

const ask: Operation = {
  operationId: 'askHotThreads',
  tags: ['Clusters'],
  summary: 'Ask what the busiest threads of each node do now',
  description:
    'For keys with the scope `admin`. An agent that watches the cluster is asked in the answer to its next report, within half a minute. It then asks the cluster, which needs half a second. Asking again while a question waits returns the same question. A workspace may have 20 waiting.',
  security: admin,
  parameters: ['ClusterUuid', 'RequestId'].map(parameterRef),
  responses: {
    '202': answer('It waits for an agent.', schemaRef('ClusterHotThreads'), waitingExample, {
      Location: headerRef('Location'),
    }),
    ...problems(...shared, 'NotFound', 'Unavailable'),
  },
};

const read: Operation = {
  operationId: 'getHotThreads',
  tags: ['Clusters'],
  summary: 'The last question for the hot threads of a cluster, and its answer',
  description:
    'For keys with the scope `admin`. The same on every edge; kept for a day. 404 if nobody has asked.',
  security: admin,
  parameters: ['ClusterUuid', 'RequestId'].map(parameterRef),
  responses: {
    '200': answer('Its state.', schemaRef('ClusterHotThreads'), answeredExample),
    ...problems(...shared, 'NotFound', 'Unavailable'),
  },
};

const take: Operation = {
  operationId: 'answerHotThreads',
  tags: ['Agents'],
  summary: 'An agent answers a question for hot threads',
  description:
    'The first answer counts. Answers to questions that the workspace never asked, or that were replaced or forgotten, are dropped. At most 1 MiB.',
  security: [{ apiKey: ['agent'] }],
  parameters: ['RequestId', 'ContentEncoding'].map(parameterRef),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaRef('HotThreadsAnswer'),
        example: {
          question_id: exampleQuestionId,
          cluster_uuid: exampleClusterUuid,
          host: answeredExample.agent_host,
          hot_threads: answeredExample.hot_threads,
          message: answeredExample.detail,
        },
      },
    },
  },
  responses: {
    '204': { description: 'Accepted, or dropped.', headers: { ...commonHeaders, ...rateLimitHeaders } },
    ...problems(...shared, ...ofBody, 'Unavailable'),
  },
};

export const hotThreadsPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/clusters/{cluster_uuid}/hot-threads': { get: read, post: ask },
  [hotThreadsAnswerPath]: { post: take },
};
