import assert from 'node:assert/strict';
import { spoolIsEmpty } from '../../support/agent-oracle.js';
import { AgentProcess } from '../../support/agent-process.js';
import { until } from '../../support/until.js';
import { open, type Stage } from './stage.js';
import { settled } from './visit.js';

/** Contains markup, which must be shown as text. */
const prompt = 'A ferry <img src=x onerror="fetch(`//example.com`)"> was late.';
export const ferryMetric = 'ferries.cancelled';
const operation = 'GET /ferries';
export const ferryTrace = 'fe44'.padEnd(32, '1');
/** A key is refused within this time after its revocation; two-edges.ts checks this at another edge. */
const withinMs = 1_000;

/** A key from creation to revocation: its page shows each of its uses. */
export function keyStory(stage: () => Stage): void {
  let key = '';
  /** The key, which is shown only once. */
  const shownKey = async (): Promise<string> => {
    const { page } = stage().signedIn;
    const secret = (await page.locator('[data-key]').textContent()) ?? '';
    assert.match(secret, /^tt_\w+_[\w-]{43}$/);
    await page.getByRole('button', { name: 'I have copied it' }).press('Enter');
    return secret;
  };
  const send = (url: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const sendBy = (key: string, path: string, body: object): Promise<Response> =>
    send(`${stage().pipeline.edge.url}${path}`, body, { authorization: `Bearer ${key}` });
  const score = (key: string, text = prompt): Promise<Response> =>
    sendBy(key, '/api/v1/monitoring/metrics/text-sentiment', { prompt: text });
  const sendThroughAgent = async (apiKey: string): Promise<void> => {
    const agent = await AgentProcess.start({
      ...{ serverUrl: stage().pipeline.edge.url, apiKey },
      integration: { service: 'elasticsearch', host: '127.0.0.1', port: '1' },
    });
    for (const value of [2, 3])
      assert.equal(
        (await send(`${agent.url}/events`, { metric: ferryMetric, type: 'increment', value })).status,
        200,
      );
    assert.equal((await send(`${agent.url}/apm/ferry-office/v1/traces`, traceOfAMoment())).status, 200);
    // A stopped agent keeps unsent items for its next start.
    await spoolIsEmpty(agent.url, 60_000);
    await agent.stop();
  };
  const seenOn = async (path: string, row: RegExp): Promise<void> => {
    const { page } = stage().signedIn;
    let shown: readonly string[] = [];
    await until(`${path} has it`, async () => {
      await open(stage(), path);
      await settled(page);
      shown = await page.locator('main').allInnerTexts();
      return (await page.getByRole('row', { name: row }).count()) === 1;
    }).catch((cause: unknown) => {
      throw new Error(`${path} has ${shown.join()}`, { cause });
    });
  };

  it('makes a key, by the keyboard alone, that scores a prompt, and sends an event and a trace through the agent', async () => {
    const { page } = stage().signedIn;
    await open(stage(), '/control');
    await page.getByRole('button', { name: 'New key' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('ferry office');
    // Past the scope `metrics`, which is preselected, to `events` and `agent`.
    for (const key of ['Tab', 'Tab', 'Space', 'Tab', 'Space', 'Enter']) await page.keyboard.press(key);
    key = await shownKey();
    await page.getByRole('row', { name: /ferry office.*metrics.*events.*agent/ }).waitFor();
    assert.equal((await score(key)).status, 200);
    await sendThroughAgent(key);

    await seenOn('/events', /^ferries\.cancelled increment sum 5 2 /);
    await seenOn('/traces', /GET \/ferries.*ferry-office/);
    await seenOn('/results?q=ferry', /A ferry <img/);
    await page.getByRole('link', { name: prompt }).click();
    await page.getByText(prompt).waitFor();
    await page.getByText('prompt.sentiment_lexicon').waitFor();
  });

  it('rotates it: the old secret is refused, and the new one admitted', async () => {
    const { page } = stage().signedIn;
    await open(stage(), '/control');
    await page.getByRole('button', { name: 'Rotate ferry office' }).press('Enter');
    await page.getByRole('button', { name: 'Rotate', exact: true }).press('Enter');
    const old = key;
    key = await shownKey();
    assert.notEqual(key, old);
    await until('the old secret is refused', async () => (await score(old)).status === 401);
    // The request is admitted; an empty prompt leaves no result.
    assert.equal((await score(key, '')).status, 422);
  });

  it('revokes it: it is refused within a second', async () => {
    const { page } = stage().signedIn;
    await open(stage(), '/control');
    await page.getByRole('button', { name: 'Revoke ferry office' }).press('Enter');
    const revoked = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    const begin = performance.now();
    await page.getByRole('button', { name: 'Revoke', exact: true }).press('Enter');
    await revoked;
    await until('the key is refused', async () => (await score(key)).status === 401);
    const taken = performance.now() - begin;
    assert.ok(taken < withinMs, `refused after ${taken.toFixed(0)} ms`);
    for (const path of ['/', '/api/v1/agent/events'])
      assert.equal((await sendBy(key, path, {})).status, 401, path);
    await page.getByRole('row', { name: /ferry office.*revoked/ }).waitFor();
  });
}

/** One request of 40 ms, one second ago. */
function traceOfAMoment(): object {
  const begin = BigInt(Date.now() - 1_000) * 1_000_000n;
  const span = {
    ...{ traceId: ferryTrace, spanId: 'fe44'.padEnd(16, '1'), name: operation, kind: 2 },
    startTimeUnixNano: String(begin),
    endTimeUnixNano: String(begin + 40_000_000n),
  };
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
}
