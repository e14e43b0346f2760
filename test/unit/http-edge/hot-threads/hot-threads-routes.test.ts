import assert from 'node:assert/strict';
import { askedMs } from '../../../../http-edge/hot-threads/question.js';
import { exampleClusterUuid } from '../../../../schemas/openapi/cluster-examples.js';
import { agentReportBody } from '../../../support/agent-report-body.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';
import { keyRecord } from '../../../support/in-memory-ports.js';

interface Standing {
  readonly status: string;
  readonly asked_at: string;
  readonly hot_threads: string | null;
  readonly agent_host: string | null;
  readonly detail: string;
}

const pathOf = (uuid: string): string => `/api/v1/clusters/${uuid}/hot-threads`;

describe('hot threads through the edge', () => {
  let edge: EdgeInMemory;
  let now = Date.now();

  beforeEach(async () => {
    edge = await startEdgeInMemory({ clock: () => now * 1_000 });
    for (const [id, scope] of [
      ['reads', 'read'],
      ['agents', 'agent'],
    ] as const)
      edge.ports.keys.set(id, keyRecord(id, 'x', [scope]));
    edge.ports.keys.set('theirs', keyRecord('theirs', 'x', ['admin', 'agent'], { workspace: 'others' }));
  });
  afterEach(() => edge.stop());

  const by = (id: string) => ({ authorization: `Bearer tt_${id}_x` });
  const report = (clusters: readonly string[], key = by('agents')): Promise<Response> =>
    edge.post(
      '/api/v1/agents',
      agentReportBody({
        answers: ['hot-threads'],
        clusters: clusters.map((uuid) => ({
          ...{ endpoint: 'http://es1:9200', cluster_uuid: uuid, cluster_name: 'c' },
          ...{ state: 'watching', reason: null },
        })),
      }),
      key,
    );
  const askedIn = async (answer: Response): Promise<{ question_id: string; cluster_uuid: string }[]> =>
    answer.status === 204
      ? []
      : ((await answer.json()) as { asked: { question_id: string; cluster_uuid: string }[] }).asked;
  const answer = (of: object, key = by('agents')): Promise<Response> =>
    edge.post(
      '/api/v1/agents/hot-threads',
      { host: 'es1', hot_threads: '::: {es1}', message: 'Hot threads of es1.', ...of },
      key,
    );
  const standing = async (uuid = exampleClusterUuid): Promise<Standing> =>
    (await (await edge.get(pathOf(uuid))).json()) as Standing;

  it('are asked of an agent once, in reply to its next report, and shown when it answers', async () => {
    const asked = await edge.post(pathOf(exampleClusterUuid), '');
    assert.equal(asked.status, 202);
    assert.equal(asked.headers.get('location'), pathOf(exampleClusterUuid));
    assert.equal((await standing()).status, 'waiting');
    const [question] = await askedIn(await report([exampleClusterUuid]));
    assert.equal((await answer(question ?? {})).status, 204);
    const { status, hot_threads, agent_host, detail } = await standing();
    assert.deepEqual(
      [status, hot_threads, agent_host, detail],
      ['answered', '::: {es1}', 'es1', 'Hot threads of es1.'],
    );
    assert.equal((await report([exampleClusterUuid])).status, 204);
    await answer({ ...question, hot_threads: 'another' });
    assert.equal((await standing()).hot_threads, '::: {es1}');
  });

  it('are not asked for again while a question waits, and are once it has expired', async () => {
    await edge.post(pathOf(exampleClusterUuid), '');
    const first = await standing();
    now += askedMs - 1;
    await edge.post(pathOf(exampleClusterUuid), '');
    assert.equal((await standing()).asked_at, first.asked_at);
    now += 1;
    const { status, detail } = await standing();
    assert.deepEqual(
      [status, detail],
      ['expired', 'No agent that reported within a week watches this cluster.'],
    );
    assert.equal((await report([exampleClusterUuid])).status, 204);
    await edge.post(pathOf(exampleClusterUuid), '');
    assert.equal((await standing()).status, 'waiting');
  });

  it("have failed, with the agent's reason, if it could not get them", async () => {
    await edge.post(pathOf(exampleClusterUuid), '');
    const [question] = await askedIn(await report([exampleClusterUuid]));
    await answer({ ...question, hot_threads: null, message: 'The credentials are rejected.' });
    const { status, detail } = await standing();
    assert.deepEqual([status, detail], ['failed', 'The credentials are rejected.']);
  });

  it('are for admins of the workspace that has the cluster', async () => {
    for (const id of ['reads', 'agents']) {
      assert.equal((await edge.post(pathOf(exampleClusterUuid), '', by(id))).status, 403);
      assert.equal((await edge.get(pathOf(exampleClusterUuid), by(id))).status, 403);
    }
    await report(['ours']);
    assert.equal((await edge.post(pathOf('ours'), '')).status, 202);
    assert.equal((await edge.post(pathOf('ours'), '', by('theirs'))).status, 404);
    assert.equal((await edge.get(pathOf('ours'), by('theirs'))).status, 404);
    assert.equal((await edge.post(pathOf('a%2Fb'), '')).status, 404);
    assert.equal((await edge.get(pathOf(exampleClusterUuid))).status, 404, 'nobody has asked');
  });

  it('are neither asked nor answered by agents of another workspace', async () => {
    await edge.post(pathOf(exampleClusterUuid), '');
    assert.equal((await report([exampleClusterUuid], by('theirs'))).status, 204);
    const [question] = await askedIn(await report([exampleClusterUuid]));
    assert.equal((await answer(question ?? {}, by('theirs'))).status, 204);
    assert.equal((await standing()).status, 'waiting');
    assert.equal((await answer({ ...question, cluster_uuid: 'other' })).status, 204);
    assert.equal((await standing()).status, 'waiting');
    assert.equal((await answer(question ?? {}, by('reads'))).status, 403);
  });

  it('wait for 20 clusters of a workspace at most', async () => {
    const uuids = Array.from({ length: 21 }, (_, index) => `cluster-${index}`);
    await report(uuids);
    for (const uuid of uuids.slice(0, 20)) assert.equal((await edge.post(pathOf(uuid), '')).status, 202);
    const refused = await edge.post(pathOf('cluster-20'), '');
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
  });

  it('tell an agent which member of its answer is wrong', async () => {
    const refused = await answer({ question_id: 'q', cluster_uuid: 7 });
    assert.equal(refused.status, 422);
    const { errors } = (await refused.json()) as { errors: { pointer: string }[] };
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/cluster_uuid'],
    );
  });
});
