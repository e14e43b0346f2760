import assert from 'node:assert/strict';
import { createKafka } from '../../../../../runtime/kafka/client/client.js';
import { accessTo } from '../../../../support/kafka.js';

describe('a client of Kafka', () => {
  it('corrects the cluster of each of its consumers, producers and admins before it connects', () => {
    const corrected: object[] = [];
    const kafka = createKafka(accessTo(['127.0.0.1:1']), (cluster) => corrected.push(cluster));
    kafka.consumer({ groupId: 'g' });
    kafka.producer();
    kafka.admin();
    assert.equal(new Set(corrected).size, 3);
  });
});
