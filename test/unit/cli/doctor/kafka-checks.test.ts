import assert from 'node:assert/strict';
import { runChecks, type Finding } from '../../../../cli/doctor/check.js';
import { kafkaChecks } from '../../../../cli/doctor/kafka-checks.js';

/** The finding about the replicas of topics, with this many brokers. */
async function ofReplicas(brokers: number, topics: Readonly<Record<string, number>>): Promise<Finding> {
  const state = {
    brokers: Array.from({ length: brokers }, (_, at) => `kafka-${at}:9092`),
    topics: Object.entries(topics).map(([name, replicas]) => ({
      name,
      partitions: [{ partition: 0, leader: 0, replicas, inSync: replicas }],
    })),
  };
  const checks = kafkaChecks({
    state: () => Promise.resolve(state),
    addresses: state.brokers,
    replication: 1,
    plan: () => Promise.resolve([]),
    lag: { read: () => assert.fail('not looked at here') },
  });
  const found = (await runChecks(checks)).find(({ check }) => check === 'replicas');
  assert.ok(found);
  return found;
}

describe('what telltale doctor says of the replicas of topics', () => {
  it('warns if three brokers could keep three replicas, and says how to get them', async () => {
    const { verdict, detail, cure } = await ofReplicas(3, { 'ingest.events': 1, __consumer_offsets: 3 });
    assert.equal(verdict, 'warning');
    assert.match(detail, /ingest\.events \(1\)/);
    assert.match(cure ?? '', /^Set KAFKA_TOPIC_REPLICATION=3, and run `telltale topics apply`\.$/);
  });

  it("warns of Kafka's own topics too, which Telltale does not change", async () => {
    const { verdict, detail, cure } = await ofReplicas(4, { 'ingest.events': 3, __transaction_state: 2 });
    assert.equal(verdict, 'warning');
    assert.match(detail, /__transaction_state \(2\)/);
    assert.match(cure ?? '', /^Kafka's own topics/);
  });

  it('finds nothing wrong with three replicas, or with fewer if there are fewer brokers', async () => {
    assert.equal((await ofReplicas(3, { 'ingest.events': 3, __consumer_offsets: 3 })).verdict, 'good');
    assert.equal((await ofReplicas(1, { 'ingest.events': 1, __consumer_offsets: 1 })).verdict, 'good');
  });
});
