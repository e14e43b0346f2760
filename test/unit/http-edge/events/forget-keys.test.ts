import assert from 'node:assert/strict';
import { forgetExpired } from '../../../../http-edge/events/forget-keys.js';

describe('expired Idempotency-Keys of events', () => {
  const most = 1_000;
  const viewOf = (count: number) => {
    const known = new Set(Array.from({ length: count }, (_, index) => `w/${index}/keys`));
    const tombstones: string[] = [];
    return {
      known,
      tombstones,
      expired: () => [...known].slice(0, most),
      // The view shows appended records only to callers that wait for them.
      last(key: string) {
        if (tombstones.includes(key)) known.delete(key);
        return Promise.resolve(undefined);
      },
      append(records: readonly { readonly key?: string | Buffer | null }[]) {
        tombstones.push(...records.map(({ key }) => String(key)));
        return Promise.resolve();
      },
    };
  };

  it('are all forgotten at once, each once, however many there are', async () => {
    const view = viewOf(2_500);
    await forgetExpired(view, view, new AbortController().signal);
    assert.equal(view.known.size, 0);
    assert.equal(view.tombstones.length, 2_500);
  });

  it('are left for later by an edge that stops', async () => {
    const view = viewOf(2_500);
    await forgetExpired(view, view, AbortSignal.abort());
    assert.deepEqual(view.tombstones, []);
  });
});
