import assert from 'node:assert/strict';
import { TelltaleError } from '../../../../runtime/errors.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';

const trends = '/api/v1/results/trends';

describe('the trends of a score', () => {
  let edge: EdgeInMemory;
  before(async () => {
    edge = await startEdgeInMemory();
  });
  after(() => edge.stop());

  const wrongOf = async (path: string): Promise<unknown> => {
    const answer = await edge.get(path);
    const { errors } = (await answer.json()) as { errors?: readonly { pointer: string }[] };
    return [answer.status, errors?.[0]?.pointer];
  };

  it('take only the column of a score', async () => {
    assert.deepEqual(await wrongOf(trends), [200, undefined]);
    assert.deepEqual(await wrongOf(`${trends}?score=prompt_toxicity&metric=all`), [200, undefined]);
    for (const score of ['prompt', 'key_id', 'prompt_toxicity)', ''])
      assert.deepEqual(await wrongOf(`${trends}?score=${score}`), [422, '/score'], score);
    assert.deepEqual(await wrongOf(`${trends}?metric=x`), [422, '/metric']);
  });

  it('and the list are filtered by key, label and the range of a score', async () => {
    for (const path of [trends, '/api/v1/results']) {
      assert.deepEqual(await wrongOf(`${path}?lane=task&key=k1&label=SSN&min=-0.5&max=1`), [200, undefined]);
      for (const [wrong, pointer] of [
        ['lane=queued', '/lane'],
        ['key=', '/key'],
        ['label=', '/label'],
        ['min=x', '/min'],
        ['min=NaN', '/min'],
        ['max=1e9999', '/max'],
        ['min=1&max=0', '/max'],
        ['min=0&score=prompt', '/score'],
      ] as const)
        assert.deepEqual(await wrongOf(`${path}?${wrong}`), [422, pointer], wrong);
    }
  });

  it('are answered 503 while the store is down', async () => {
    const fails = (): Promise<never> => Promise.reject(new TelltaleError('CLICKHOUSE_UNREACHABLE'));
    Object.assign(edge.ports.results, { trends: fails, hopTimes: fails });
    assert.deepEqual(await wrongOf(trends), [503, undefined]);
    assert.deepEqual(await wrongOf('/api/v1/results/hop-times'), [503, undefined]);
  });
});
