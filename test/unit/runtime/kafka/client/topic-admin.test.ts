import assert from 'node:assert/strict';
import fc from 'fast-check';
import kafkajs, { type Admin } from 'kafkajs';
import { addedReplicas, topicAdmin } from '../../../../../runtime/kafka/client/topic-admin.js';
import { kafkaError } from '../../../../../runtime/kafka/protocol/kafka-error.js';

const brokers = [1, 2, 3, 4, 5];
const replicas = fc.uniqueArray(fc.constantFrom(...brokers), { minLength: 1, maxLength: 5 });

describe('added replicas', () => {
  it('keep existing replicas, in order, and put each new one on a different broker', () => {
    fc.assert(
      fc.property(fc.array(replicas, { maxLength: 20 }), fc.integer({ min: 1, max: 5 }), (found, wanted) => {
        const topic = {
          name: 't',
          partitions: found.map((one, partition) => ({ partition, replicas: one })),
        };
        const [added] = addedReplicas([topic], brokers, wanted);
        const thin = topic.partitions.filter((one) => one.replicas.length < wanted);
        assert.deepEqual(
          added?.partitions.map(({ partition }) => partition),
          thin.map(({ partition }) => partition),
        );
        for (const { partition, replicas: all } of added.partitions) {
          const before = found[partition] ?? [];
          assert.deepEqual(all.slice(0, before.length), before);
          assert.equal(new Set(all).size, wanted);
        }
      }),
    );
  });

  it('are spread over all brokers', () => {
    const partitions = Array.from({ length: 50 }, (_, partition) => ({ partition, replicas: [1] }));
    const [added] = addedReplicas([{ name: 't', partitions }], brokers, 3);
    const counts = brokers.map(
      (broker) => added?.partitions.filter((one) => one.replicas.includes(broker)).length,
    );
    assert.deepEqual(counts, [50, 25, 25, 25, 25]);
  });
});

const codes = {
  REQUEST_TIMED_OUT: 7,
  CLUSTER_AUTHORIZATION_FAILED: 31,
  UNSUPPORTED_VERSION: 35,
  INVALID_REPLICATION_FACTOR: 38,
  INVALID_REQUEST: 42,
  POLICY_VIOLATION: 44,
} as const;
type Refusal = keyof typeof codes;
const errorOf = (refusal: Refusal): Error => Object.assign(kafkaError(codes[refusal]), { topic: 't' });
/** Errors of single topics or partitions, as kafkajs throws them. */
const errorsOf = (...refusals: readonly Refusal[]): Error =>
  new kafkajs.KafkaJSAggregateError('errors', refusals.map(errorOf));

/** A Kafka with these answers and one topic, which has one replica. */
function kafkaThat(answers: Partial<Admin>): Admin {
  const admin: Partial<Admin> = {
    describeCluster: () =>
      Promise.resolve({
        brokers: brokers.map((nodeId) => ({ nodeId, host: 'broker', port: 9_092 })),
        controller: 1,
        clusterId: 'c',
      }),
    fetchTopicMetadata: () => {
      const partition = { partitionId: 0, partitionErrorCode: 0, leader: 1, replicas: [1], isr: [1] };
      return Promise.resolve({ topics: [{ name: 't', partitions: [partition] }] });
    },
    ...answers,
  };
  return admin as Admin;
}

describe('replicas that Kafka does not let a user add', () => {
  const add = (error: Error): Promise<boolean> =>
    topicAdmin(kafkaThat({ alterPartitionReassignments: () => Promise.reject(error) })).replicate(['t'], 3);

  for (const refusal of ['CLUSTER_AUTHORIZATION_FAILED', 'POLICY_VIOLATION', 'UNSUPPORTED_VERSION'] as const)
    it(`are left out after ${refusal}, of the request or of each partition`, async () => {
      assert.equal(await add(errorOf(refusal)), false);
      assert.equal(await add(errorsOf(refusal, refusal)), false);
    });

  it('are left out if it does not know the request', async () => {
    const unknown = new kafkajs.KafkaJSServerDoesNotSupportApiKey('unknown');
    assert.equal(await add(unknown), false);
  });

  it('are an error if something else has failed', async () => {
    for (const error of [errorOf('REQUEST_TIMED_OUT'), errorsOf('POLICY_VIOLATION', 'INVALID_REQUEST')])
      await assert.rejects(add(error), error);
  });
});

describe('topics that Kafka does not create with so many replicas', () => {
  const create = (error: Error): Promise<unknown> => {
    const admin = topicAdmin(kafkaThat({ createTopics: () => Promise.reject(error) }));
    return admin.create([{ name: 't', partitions: 1, config: { 'retention.ms': '1' } }], 2);
  };

  it('are refused with the setting to change', async () => {
    const refused = {
      code: 'REPLICATION_REFUSED',
      message: /KAFKA_TOPIC_REPLICATION=2: .*Set it to a value that Kafka accepts/,
    };
    await assert.rejects(create(errorsOf('INVALID_REPLICATION_FACTOR')), refused);
    await assert.rejects(create(errorsOf('INVALID_REPLICATION_FACTOR', 'POLICY_VIOLATION')), refused);
    await assert.rejects(create(errorsOf('POLICY_VIOLATION')), refused);
  });

  it('fail with the original error if something else has failed', async () => {
    const error = errorsOf('INVALID_REQUEST');
    await assert.rejects(create(error), error);
  });
});
