import assert from 'node:assert/strict';
import type { SearchClient } from '../../../../agent/collectors/client-port.js';
import { readHotThreads } from '../../../../agent/integration/connection-test/hot-threads.js';

const root = {
  ...{ cluster_name: 'harbour', cluster_uuid: 'uuid-of-harbour' },
  ...{ version: { number: '7.17.15' }, tagline: 'You Know, for Search' },
};

describe('hot threads of one cluster', () => {
  const calls: string[] = [];
  const client: SearchClient = {
    get(path) {
      calls.push(path);
      return Promise.resolve({ status: 200, body: path === '/' ? root : '::: {n1}', bytes: 1 });
    },
    explain: () => Promise.reject(new Error('nothing is to be explained')),
  };
  const read = (clusterUuid: string) => {
    const integration = {
      ...{ url: 'http://es1:9200', requestTimeoutMs: 1_000 },
      authentication: { kind: 'none' } as const,
    };
    return readHotThreads({ integration, client, diagnostic: undefined }, undefined, clusterUuid);
  };
  beforeEach(() => void calls.splice(0));

  it('are read of that cluster', async () => {
    assert.equal((await read('uuid-of-harbour')).hotThreads, '::: {n1}');
  });

  it('are not asked of another cluster that now answers at its address', async () => {
    const { ok, hotThreads, message } = await read('uuid-of-another');
    assert.deepEqual([ok, hotThreads, calls], [false, null, ['/']]);
    assert.match(message, /leads to another cluster now/);
  });
});
