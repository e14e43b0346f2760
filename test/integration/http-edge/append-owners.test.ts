import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pickFreePort } from '../../../stack/ports.js';
import { applyTopics, migrateTables } from '../../support/applied.js';
import { newKey } from '../../support/operator-questions.js';
import { role, roleFolder, stackEnvironment, type Role } from '../../support/roles.js';
import { theStack } from '../../support/stack.js';
import { inTurn, taskClient } from '../../support/task-client.js';
import { until } from '../../support/until.js';

const tasks = 60;
const path = '/api/v1/monitoring/metrics/text-sentiment/task';

describe('edges that keep every status and know each other', () => {
  const edges: Role[] = [];
  let key: string;

  before(async () => {
    const stack = await theStack();
    await Promise.all([applyTopics(stack), migrateTables(stack)]);
    const environment = stackEnvironment(stack);
    const folder = roleFolder(stack.folder, `append-owners-${randomUUID().slice(0, 8)}`);
    const secret = randomUUID();
    key = await newKey(environment, 'append-owners', ['metrics']);
    for (const name of ['one', 'other']) {
      const port = String(await pickFreePort());
      const peer = {
        EDGE_PEER_PORT: port,
        EDGE_PEER_URL: `http://127.0.0.1:${port}`,
        EDGE_PEER_SECRET: secret,
      };
      edges.push(
        await role({
          command: 'edge',
          portVariable: 'EDGE_PORT',
          environment: { ...environment, ...peer, TELLTALE_STATE: join(folder, name) },
          logFile: join(folder, `${name}.log`),
        }),
      );
    }
    await Promise.all(edges.map((edge) => edge.start()));
  });
  after(() => Promise.all(edges.map((edge) => edge.stop())));

  /** The sum of a figure over both edges. */
  async function figureOf(series: string): Promise<number> {
    const texts = await Promise.all(edges.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
    return texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.startsWith(`${series} `))
      .reduce((sum, line) => sum + Number(line.slice(series.length)), 0);
  }

  it('hand appends under an Idempotency-Key to each other, so that none fences another', async () => {
    const [one, other] = edges.map(({ url }) => taskClient(url, key, 8));
    assert.ok(one && other);
    const client = inTurn([one, other]);
    const submit = async (idempotencyKey: string): Promise<string> => {
      const attempt = await client.submit(path, { prompt: 'fine' }, { 'idempotency-key': idempotencyKey });
      assert.equal(attempt.kind, 'accepted');
      return attempt.taskId;
    };
    const handed = 'telltale_appends_to_owners_total{outcome="decided"}';
    await until('they know each other', async () => {
      await Promise.all([submit(randomUUID()), submit(randomUUID())]);
      return (await figureOf(handed)) > 0;
    });
    const startedOver = 'telltale_append_once_calls_total{outcome="started-over"}';
    const [before, handedBefore] = [await figureOf(startedOver), await figureOf(handed)];
    for (let task = 0; task < tasks; task++) {
      const id = await submit(`key-${task}`);
      assert.equal(await submit(`key-${task}`), id);
    }
    assert.equal(await figureOf(startedOver), before);
    assert.ok((await figureOf(handed)) - handedBefore >= tasks / 2);
    for (const { close } of [one, other]) close();
  });
});
