import assert from 'node:assert/strict';
import fc from 'fast-check';
import type Cluster from 'kafkajs/src/cluster/index.js';
import { pino } from 'pino';
import { plaintext } from '../../../../../runtime/kafka/client/kafka-access.js';
import { fence, inParts } from '../../../../../runtime/kafka/transactions/transactional-producer.js';

const record = (bytes: number) => ({ topic: 't', key: null, value: Buffer.alloc(bytes) });

describe('records of one transaction', () => {
  it('are sent in order, in parts that each fit into one request', () => {
    const sizes = fc.array(fc.oneof(fc.nat(2_000), fc.integer({ min: 0, max: 1_500_000 })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(sizes, (all) => {
        const records = all.map(record);
        const parts = inParts(records);
        assert.deepEqual(parts.flat(), records);
        for (const part of parts) {
          const bytes = part.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
          assert.ok(part.length === 1 || bytes <= 1024 * 1024);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are one part if they are few, and no part if there are none', () => {
    assert.equal(inParts([record(0), record(10)]).length, 1);
    assert.deepEqual(inParts([]), []);
  });
});

describe('a producer whose Kafka lacks the requests that describe open transactions', () => {
  const describeProducers = 61;
  const describeTransactions = 65;
  /** Records every request, and every log line of level warning or above. */
  function openedOn(versions: Readonly<Record<number, object>>) {
    const asked: string[] = [];
    const lines: { readonly event: string; readonly refused: string; readonly msg: string }[] = [];
    const coordinator = {
      versions,
      connectionPool: {
        pool: [],
        send: ({ request }: { readonly request: { readonly apiName: string } }) => {
          asked.push(request.apiName);
          return Promise.reject(new Error(`${request.apiName} is unknown`));
        },
      },
      initProducerId() {
        asked.push('InitProducerId');
        return Promise.resolve({ producerId: '7', producerEpoch: asked.length });
      },
    };
    const cluster = {
      addTargetTopic: () => Promise.resolve(),
      findGroupCoordinator: () => Promise.resolve(coordinator),
    } as unknown as Cluster;
    const logger = pino(
      { level: 'warn' },
      { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
    );
    const access = { brokers: ['broker:9092'], clientId: 'test', logger, security: plaintext };
    const opened = () =>
      fence({
        cluster,
        access,
        id: 'id',
        written: { topics: ['t'], groupId: 'g' },
        closed: new AbortController(),
      });
    return { asked, lines, opened };
  }

  for (const [which, versions] of [
    ['neither request', {}],
    ['only DescribeProducers', { [describeProducers]: {} }],
    ['only DescribeTransactions', { [describeTransactions]: {} }],
  ] as const)
    it(`opens, and says once that a hanging one would not be found: ${which} is known`, async () => {
      const { asked, lines, opened } = openedOn(versions);
      const { coordinator } = await opened();
      assert.deepEqual(coordinator.identity, { transactionalId: 'id', producerId: 7n, producerEpoch: 1 });
      await opened();
      assert.deepEqual(asked, ['InitProducerId', 'InitProducerId']);
      assert.deepEqual(
        lines.map(({ event, refused }) => [event, refused]),
        [['open-transactions-unknown', 'DescribeTransactions and DescribeProducers']],
      );
      assert.match(
        lines[0]?.msg ?? '',
        /does not support the request\), so a hanging one would not be found/,
      );
    });
});
