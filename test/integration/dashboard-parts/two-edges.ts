import assert from 'node:assert/strict';
import { runTelltale } from '../../support/roles.js';
import { until } from '../../support/until.js';
import { post, type Stage } from './stage.js';

const ownPage = {
  'sec-fetch-site': 'same-origin',
  'x-telltale-dashboard': '1',
  'content-type': 'application/json',
};
const session = '/ui/api/session';
/** A session or key that ends at one edge is refused by every other edge within this time. */
const withinMs = 1_000;

type Headers = Readonly<Record<string, string>>;
const ask = (method: string, url: string, headers: Headers, body?: object): Promise<Response> =>
  fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
const cookieOf = (answer: Response): Headers => ({
  ...ownPage,
  cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
});

async function refusedInTime(what: string, end: () => Promise<Response>, use: () => Promise<Response>) {
  const begin = performance.now();
  const ended = await end();
  assert.ok(ended.ok, `${what}: ${ended.status}`);
  await until(`${what} is refused`, async () => (await use()).status === 401);
  const taken = performance.now() - begin;
  assert.ok(taken < withinMs, `${what} is refused after ${taken.toFixed(0)} ms`);
}

/** Sessions and keys are in Kafka, not in one edge: both edges know them, and when they have ended. */
export async function knownToBothEdges(stage: Stage, other: string): Promise<void> {
  const one = stage.pipeline.edge.url;
  await linkIsGoodOnce(stage, other);

  const admin = { authorization: `Bearer ${stage.pipeline.key}` };
  const asked = { name: 'of two edges', scopes: ['read'] };
  const made = (await (await post(stage, '/api/v1/keys', asked)).json()) as { key: string; key_id: string };
  const signedIn = await ask('POST', `${one}${session}`, ownPage, { key: made.key });
  assert.equal(signedIn.status, 200, await signedIn.clone().text());
  const viewer = cookieOf(signedIn);
  const pipelineAt = (url: string) => () => ask('GET', `${url}/ui/api/v1/clusters`, viewer);
  await until('the other edge knows the session', async () => (await pipelineAt(other)()).status === 200);
  const signOut = () => ask('DELETE', `${other}${session}`, viewer);
  await refusedInTime('a session that ended at the other edge', signOut, pipelineAt(one));

  const resultsAt = (url: string) => () =>
    ask('GET', `${url}/api/v1/results`, { authorization: `Bearer ${made.key}` });
  await until('the other edge knows the key', async () => (await resultsAt(other)()).status === 200);
  const revoke = () => ask('DELETE', `${one}/api/v1/keys/${made.key_id}`, admin);
  await refusedInTime('a key that was revoked at one edge', revoke, resultsAt(other));
}

async function linkIsGoodOnce({ pipeline }: Stage, other: string): Promise<void> {
  const asked = ['sign-in-link', '--workspace', 'dashboard', '--url', pipeline.edge.url];
  const [, link] = (await runTelltale(asked, pipeline.environment)).trim().split('#link=');
  const answers = await Promise.all(
    [pipeline.edge.url, other].map((url) => ask('POST', `${url}${session}`, ownPage, { link })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
  const begun = answers.find(({ status }) => status === 200);
  assert.ok(begun);
  for (const url of [pipeline.edge.url, other])
    await until(
      `${url} knows the session`,
      async () => (await ask('GET', `${url}/ui/api/v1/keys`, cookieOf(begun))).status === 200,
    );
  // Another test counts the signed-in people.
  assert.equal((await ask('DELETE', `${other}${session}`, cookieOf(begun))).status, 204);
}
