import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addedReplicas } from '../../../../../runtime/kafka/client/topic-admin.js';

const brokers = [1, 2, 3, 4, 5];
const replicas = fc.uniqueArray(fc.constantFrom(...brokers), { minLength: 1, maxLength: 5 });

describe('added replicas', () => {
  it('keep those that are there, in their order, and put each other one on a broker of its own', () => {
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
