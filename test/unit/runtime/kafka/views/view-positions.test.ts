import assert from 'node:assert/strict';
import { LogEnds } from '../../../../../runtime/kafka/views/view-positions.js';

/** Broker 1 leads partitions up to 4, broker 2 the others. */
const byLeader = (partitions: readonly number[]): ReadonlyMap<string, readonly number[]> =>
  new Map(partitions.map((partition) => [partition < 5 ? '1' : '2', [partition]]));

describe('log ends', () => {
  it('share one request among questions that come together', async () => {
    const asked: number[][] = [];
    const ends = new LogEnds({
      byLeader,
      offsets: (at) => {
        asked.push([...at.keys()]);
        return Promise.resolve(new Map([...at.keys()].map((partition) => [partition, partition * 10])));
      },
    });
    assert.deepEqual(await Promise.all([ends.of(1), ends.of(2), ends.of(1)]), [10, 20, 10]);
    assert.deepEqual(asked, [[1, 2]]);
  });

  it('never answer a question from a request that was sent before it', async () => {
    let end = 0;
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    let answer = (): void => undefined;
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    const ends = new LogEnds({
      byLeader,
      offsets: async (at) => {
        const found = end;
        asked();
        await mayAnswer;
        return new Map([...at.keys()].map((partition) => [partition, found]));
      },
    });
    const first = ends.of(0);
    await isAsked;
    end = 5;
    const second = ends.of(0);
    answer();
    assert.deepEqual(await Promise.all([first, second]), [0, 5]);
  });

  it('report a failed request to all who asked, and send another for the next question', async () => {
    let fails = true;
    const ends = new LogEnds({
      byLeader,
      offsets: () => (fails ? Promise.reject(new Error('away')) : Promise.resolve(new Map([[0, 3]]))),
    });
    const outcomes = await Promise.allSettled([ends.of(0), ends.of(0)]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    fails = false;
    assert.equal(await ends.of(0), 3);
  });

  it('answer for one leader while another is silent', async () => {
    const ends = new LogEnds({
      byLeader,
      offsets: (at) => (at.has(7) ? new Promise(() => undefined) : Promise.resolve(new Map([[1, 4]]))),
    });
    void ends.of(7);
    assert.equal(await ends.of(1), 4);
  });
});
