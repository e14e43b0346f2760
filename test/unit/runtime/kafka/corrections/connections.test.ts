import assert from 'node:assert/strict';
import type Cluster from 'kafkajs/src/cluster/index.js';
import { firstAnswer, bypassSilentBrokers } from '../../../../../runtime/kafka/corrections/connections.js';
import { TelltaleError } from '../../../../../runtime/errors.js';

describe('the first answer of several brokers', () => {
  const asked: string[] = [];
  const silent = new Promise<string>(() => undefined);
  const asking = (answers: Readonly<Record<string, () => Promise<string>>>) => (broker: string) => {
    asked.push(broker);
    return answers[broker]?.() ?? silent;
  };
  const answered = (answer: string) => () => Promise.resolve(answer);
  const failed = (error: Error) => () => Promise.reject(error);
  beforeEach(() => asked.splice(0));

  it('is that of the first broker, and no other is asked', async () => {
    const ask = asking({ first: answered('one'), second: answered('two') });
    assert.equal(await firstAnswer(['first', 'second'], ask), 'one');
    assert.deepEqual(asked, ['first']);
  });

  it('is that of the next broker if one fails or is silent', async () => {
    const ask = asking({ failing: failed(new Error('away')), third: answered('three') });
    assert.equal(await firstAnswer(['failing', 'silent', 'third', 'fourth'], ask), 'three');
    assert.deepEqual(asked, ['failing', 'silent', 'third']);
  });

  it('is the last failure if all fail', async () => {
    const last = new Error('away too');
    const ask = asking({ first: failed(new Error('away')), second: failed(last) });
    await assert.rejects(firstAnswer(['first', 'second'], ask), last);
  });

  it('is a failure at once if no other broker could help, and no other is asked', async () => {
    const missing = new TelltaleError('TOPIC_MISSING', { topic: 'none' });
    const ask = asking({ first: failed(missing), second: answered('two') });
    await assert.rejects(firstAnswer(['first', 'second'], ask), missing);
    assert.deepEqual(asked, ['first']);
  });

  it('is the only one used: a later answer is discarded', async () => {
    let answerLate!: (answer: string) => void;
    const slow = new Promise<string>((resolve) => (answerLate = resolve));
    const late: string[] = [];
    const ask = asking({ slow: () => slow, quick: answered('quick') });
    assert.equal(await firstAnswer(['slow', 'quick'], ask, (answer) => late.push(answer)), 'quick');
    answerLate('slow');
    await slow;
    assert.deepEqual(late, ['slow']);
  });
});

describe('a cluster that leaves silent brokers', () => {
  const broker = { isConnected: () => true, connectionPool: {} };
  const clusterOf = (build: () => Promise<object>) => {
    const cluster = {
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      connectionPoolBuilder: { build },
      brokerPool: {
        brokers: { 1: broker },
        getNodeIds: () => ['1'],
        findBroker: () => Promise.resolve(broker),
        findConnectedBroker: () => Promise.resolve(broker),
        withBroker: () => Promise.reject(new Error('replaced')),
      },
    } as unknown as Cluster;
    bypassSilentBrokers(cluster);
    return cluster;
  };

  it('asks no broker while it is disconnected, and does so again once it is reconnected', async () => {
    const cluster = clusterOf(() => Promise.reject(new Error('none is built')));
    const ask = () => cluster.brokerPool.withBroker(({ nodeId }) => Promise.resolve(nodeId));
    await cluster.connect();
    assert.equal(await ask(), '1');
    await cluster.disconnect();
    await assert.rejects(ask(), /closed/);
    await cluster.connect();
    assert.equal(await ask(), '1');
  });

  it('asks for metadata over a connection with no request in flight', async () => {
    const waiting = [0, 0];
    const connections = [0, 1].map((id) => ({
      id,
      requestQueue: {
        get inflight() {
          return { size: waiting[id] };
        },
      },
    }));
    const pool = {
      pool: connections,
      getConnection: (index: number) => Promise.resolve(connections[index]),
      getConnectionByRequest: () => Promise.resolve(connections[0]),
      send: () => Promise.resolve(),
    };
    const built = await clusterOf(() => Promise.resolve(pool)).connectionPoolBuilder.build();
    const usedFor = async (apiKey: number, ...inflight: readonly number[]) => {
      waiting.splice(0, 2, ...inflight);
      const used: unknown = await built.getConnectionByRequest({ request: { apiKey } });
      return connections.findIndex((one) => one === used);
    };
    const [produce, metadata] = [0, 3];
    assert.equal(await usedFor(metadata, 0, 0), 0);
    assert.equal(await usedFor(metadata, 1, 0), 1);
    assert.equal(await usedFor(metadata, 1, 1), 0);
    assert.equal(await usedFor(produce, 1, 0), 0);
  });
});
