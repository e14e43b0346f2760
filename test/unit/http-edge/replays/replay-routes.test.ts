import assert from 'node:assert/strict';
import { sinks } from '../../../../cli/sinks.js';
import { scopes } from '../../../../http-edge/keys/scopes.js';
import { replayedSinks } from '../../../../schemas/openapi/replay-paths.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';
import { keyRecord } from '../../../support/in-memory-ports.js';

const path = '/api/v1/replays';
const secret = 'the-secret-of-another-key';

interface Answer {
  readonly status: number;
  readonly body: {
    readonly id: string;
    readonly status: string;
    readonly detail: string;
    readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
    readonly replays: readonly { readonly id: string; readonly kind: string }[];
  };
}

describe('replays of tables by HTTP', () => {
  let edge: EdgeInMemory;
  beforeEach(async () => {
    edge = await startEdgeInMemory();
    edge.ports.keys.set('admin', keyRecord('admin', secret, scopes, { workspace: 'default' }));
    edge.ports.keys.set('reader', keyRecord('reader', secret, ['read'], { workspace: 'default' }));
  });
  afterEach(() => edge.stop());

  const by = (keyId: string) => ({ authorization: `Bearer tt_${keyId}_${secret}` });
  const read = async (answer: Response): Promise<Answer> => ({
    status: answer.status,
    body: (await answer.json()) as Answer['body'],
  });
  const ask = async (body: unknown, headers: Record<string, string> = by('admin')): Promise<Answer> =>
    read(await edge.post(path, body, headers));
  const listed = async (headers: Record<string, string>): Promise<readonly string[]> =>
    (await read(await edge.get(path, headers))).body.replays.map(({ id }) => id);

  it('are asked for by an admin of the workspace `default`, and shown there alone', async () => {
    const { status, body } = await ask({ kind: 'table', sink: 'events', from: '2026-01-02T00:00:00Z' });
    assert.deepEqual([status, body.id, body.status], [202, 'table-events', 'queued']);
    assert.deepEqual(await listed(by('admin')), ['table-events']);
    assert.deepEqual(await listed({}), []);
    assert.equal((await ask({ kind: 'table', sink: 'events' }, by('reader'))).status, 403);
    const other = await ask({ kind: 'table', sink: 'events' }, {});
    assert.equal(other.status, 403);
    assert.match(other.body.detail, /workspace `default`/);
  });

  it('are the same replay for the same bounds, and refused for others', async () => {
    const bounds = { from: 3, to: '2026-01-02T00:00:00Z' };
    for (let time = 0; time < 2; time++)
      assert.equal((await ask({ kind: 'table', sink: 'events', ...bounds, rate: 10 })).status, 202);
    const other = await ask({ kind: 'table', sink: 'events' });
    assert.equal(other.status, 409);
    assert.match(other.body.detail, /telltale replays cancel/);
    assert.equal((await ask({ kind: 'table', sink: 'spans' })).status, 202);
  });

  it('say for each field what is wrong', async () => {
    const { status, body } = await ask({ kind: 'table', sink: 'mood', from: -1, to: '7d', rate: 0 });
    assert.equal(status, 422);
    assert.deepEqual(
      body.errors.map(({ pointer }) => pointer),
      ['/rate', '/sink', '/from', '/to'],
    );
    const names = sinks.map(({ name }) => name);
    assert.match(body.detail, new RegExp(`\`sink\` must be one of ${names.join(', ')}\\.`));
    assert.match((await ask({ kind: 'mood' })).body.detail, /`kind` must be `scoring` or `table`/);
    assert.deepEqual([...replayedSinks], names, 'the document lists other sinks');
  });

  it('are refused to a workspace with twenty that have not ended, and to no other', async () => {
    const scoring = (day: number) => ({
      ...{ kind: 'scoring', metric: 'text_sentiment' },
      from: new Date(Date.UTC(2026, 0, day)).toISOString(),
    });
    for (let day = 1; day <= 20; day++) assert.equal((await ask(scoring(day))).status, 202);
    const refused = await ask(scoring(21));
    assert.equal(refused.status, 429);
    assert.match(refused.body.detail, /20 replays of this workspace have not ended/);
    assert.equal((await ask(scoring(21), {})).status, 202);
  });
});
