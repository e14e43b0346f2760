import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError } from '../../runtime/errors.js';
import { runTelltale } from './setup-command.js';

const keyForm = /\btt_[A-Za-z0-9]+_[\w-]+/;
const anyTask = '/api/v1/monitoring/metrics/task/00000000-0000-4000-8000-000000000000/status';

/** A key that `npm start` makes for its own use, and its scopes. */
export interface DevelopmentKey {
  readonly name: string;
  readonly scopes: string;
  /** Whether the edge accepts it. */
  isAccepted(edgeUrl: string, key: string): Promise<boolean>;
}

/**
 * For people: every scope. Checked with a request for a task that does not exist: 404 with a valid key, 401
 * or 403 otherwise.
 */
export const clientKey: DevelopmentKey = {
  name: 'npm start',
  scopes: 'metrics,events,agent,read,admin',
  isAccepted: async (edgeUrl, key) => (await statusOf(`${edgeUrl}${anyTask}`, 'GET', key)) === 404,
};

/** For the agent. Checked with a batch that has no id: 400 with a valid key. */
export const agentKey: DevelopmentKey = {
  name: 'npm start: the agent',
  scopes: 'agent',
  isAccepted: async (edgeUrl, key) => (await statusOf(`${edgeUrl}/api/v1/agent/events`, 'POST', key)) === 400,
};

/** The key of an earlier start if the edge still accepts it; otherwise a new one. */
export async function developmentKey(
  wanted: DevelopmentKey,
  edgeUrl: string,
  known: string | undefined,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  if (known !== undefined && (await wanted.isAccepted(edgeUrl, known))) return known;
  const printed = await runTelltale(
    'keys create',
    ['--name', wanted.name, '--scopes', wanted.scopes],
    environment,
    signal,
  );
  const key = keyForm.exec(printed)?.[0];
  if (key === undefined)
    throw new TelltaleError('SETUP_FAILED', { what: 'telltale keys create', reason: 'it printed no key' });
  await acceptedSoon(wanted, edgeUrl, key);
  return key;
}

/** Edges learn of a new key within a second. Waits for that, so that the printed curl works at once. */
async function acceptedSoon(wanted: DevelopmentKey, edgeUrl: string, key: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await wanted.isAccepted(edgeUrl, key))) {
    if (Date.now() > deadline)
      throw new TelltaleError('SETUP_FAILED', { what: 'the new API key', reason: 'the edge refuses it' });
    await sleep(100);
  }
}

async function statusOf(url: string, method: 'GET' | 'POST', key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  const response = await fetch(url, { method, headers });
  await response.body?.cancel();
  return response.status;
}
