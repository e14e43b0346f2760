import assert from 'node:assert/strict';
import kafkajs from 'kafkajs';
import type Cluster from 'kafkajs/src/cluster/index.js';
import { rejoinAfterRefusedCommit } from '../../../../../runtime/kafka/corrections/consumers.js';

const refusal = new kafkajs.KafkaJSProtocolError(
  Object.assign(new Error('This is not the correct coordinator for this group'), {
    ...{ type: 'NOT_COORDINATOR_FOR_GROUP', code: 16, retriable: true },
  }),
);
const request = {};

/** The brokers of a consumer: one answers everything, the other no longer has the group and refuses commits. */
function twoBrokers() {
  const answers = { heartbeat: () => Promise.resolve(), joinGroup: () => Promise.resolve() };
  const commits = [() => Promise.resolve(), () => Promise.reject(refusal)];
  const brokerPool = {
    createBroker: () => ({ ...answers, offsetCommit: commits.shift() ?? assert.fail() }),
  };
  rejoinAfterRefusedCommit({ brokerPool } as unknown as Pick<Cluster, 'brokerPool'>);
  type Ask = (asked: object) => Promise<unknown>;
  const create = brokerPool.createBroker as unknown as () => Record<
    'heartbeat' | 'joinGroup' | 'offsetCommit',
    Ask
  >;
  return { now: create(), before: create() };
}

describe('a commit that a former coordinator refuses', () => {
  it('fails the heartbeats to every broker until the consumer joins its group again', async () => {
    const { now, before } = twoBrokers();
    await now.offsetCommit(request);
    await now.heartbeat(request);
    await assert.rejects(before.offsetCommit(request), refusal);
    for (let time = 0; time < 2; time += 1) await assert.rejects(now.heartbeat(request), refusal);
    await now.joinGroup(request);
    await now.heartbeat(request);
  });
});
