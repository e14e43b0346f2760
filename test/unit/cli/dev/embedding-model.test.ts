import assert from 'node:assert/strict';
import { embeddingModelVariables } from '../../../../cli/dev/embedding-model.js';

describe("npm start's embedding model", () => {
  const never = (): Promise<string> => Promise.reject(new Error('this must not be fetched'));

  it('is configured for the processors once it is fetched', async () => {
    const variables = await embeddingModelVariables(
      {},
      () => undefined,
      () => Promise.resolve('/cache/model'),
    );
    assert.deepEqual(variables, { EMBEDDING_MODEL_DIR: '/cache/model' });
  });

  it('is not fetched if the user has named another source', async () => {
    for (const given of [{ EMBEDDING_MODEL_DIR: '/mine' }, { EMBEDDING_BASE_URL: 'http://127.0.0.1:1/v1' }]) {
      const said: string[] = [];
      assert.deepEqual(await embeddingModelVariables(given, (line) => said.push(line), never), {});
      assert.deepEqual(said, []);
    }
  });

  it('can be missing: the reason is shown, and everything else starts', async () => {
    const said: string[] = [];
    const offline = (): Promise<string> => Promise.reject(new Error('no network'));
    assert.deepEqual(await embeddingModelVariables({}, (line) => said.push(line), offline), {});
    assert.match(said.join(), /will be null: no network/);
  });
});
