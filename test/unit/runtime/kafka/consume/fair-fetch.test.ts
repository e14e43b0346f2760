import assert from 'node:assert/strict';
import SubscriptionState from 'kafkajs/src/consumer/subscriptionState.js';
import { fetchFairly } from '../../../../../runtime/kafka/consume/fair-fetch.js';

describe('a consumer with more partitions than an answer has room for', () => {
  it('asks for all of them each time, and for each of them first now and then', () => {
    fetchFairly();
    const state = new SubscriptionState();
    const partitions = [0, 1, 2, 3, 4];
    state.assign([{ topic: 'ingest.events', partitions: [...partitions] }]);
    const first = new Set<number>();
    for (let fetches = 0; fetches < 1_000; fetches++) {
      const [asked] = state.assigned();
      assert.deepEqual([...(asked?.partitions ?? [])].sort(), partitions);
      first.add(asked?.partitions[0] ?? NaN);
    }
    assert.deepEqual([...first].sort(), partitions);
  });
});
