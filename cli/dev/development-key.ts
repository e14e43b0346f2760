import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError } from '../../runtime/errors.js';
import { runTelltale } from './setup-command.js';

const keyForm = /\btt_[A-Za-z0-9]+_[\w-]+/;
const anyTask = '/api/v1/monitoring/metrics/task/00000000-0000-4000-8000-000000000000/status';

/** The key of an earlier start, where the edge still takes it; otherwise a new one with every scope. */
export async function developmentKey(
  edgeUrl: string,
  known: string | undefined,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  if (known !== undefined && (await isAccepted(edgeUrl, known))) return known;
  const printed = await runTelltale(
    ['keys', 'create', '--name', 'npm start', '--scopes', 'metrics,events,agent,read,admin'],
    environment,
    signal,
  );
  const key = keyForm.exec(printed)?.[0];
  if (key === undefined)
    throw new TelltaleError('SETUP_FAILED', { what: 'telltale keys create', reason: 'it printed no key' });
  await acceptedSoon(edgeUrl, key);
  return key;
}

/** A new key is on every edge within a second; the curl that is printed must work when it is pasted. */
async function acceptedSoon(edgeUrl: string, key: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await isAccepted(edgeUrl, key))) {
    if (Date.now() > deadline)
      throw new TelltaleError('SETUP_FAILED', { what: 'the new API key', reason: 'the edge refuses it' });
    await sleep(100);
  }
}

/** Asks for a task that does not exist: 404 with a good key, 401 or 403 without. */
async function isAccepted(edgeUrl: string, key: string): Promise<boolean> {
  const response = await fetch(`${edgeUrl}${anyTask}`, { headers: { authorization: `Bearer ${key}` } });
  await response.body?.cancel();
  return response.status === 404;
}
