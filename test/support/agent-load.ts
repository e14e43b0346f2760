import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage } from './task-client.js';

/** Numbers of items: those that the agent answered 200, and those whose outcome the client never learned. */
export interface Ledger {
  readonly acknowledged: Set<number>;
  readonly unknown: Set<number>;
}

export interface LoadOptions {
  readonly url: string;
  /** The required number of acknowledged items. */
  readonly items: number;
  readonly perRequest: number;
  /** Milliseconds from one request to the next. */
  readonly everyMs: number;
  /** Whether the client continues after all required items are acknowledged. */
  readonly goesOn: () => boolean;
  readonly requestOf: (numbers: readonly number[]) => LoadRequest;
}

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/**
 * A client that sends until enough items are acknowledged. Every attempt has new items, so that each stored
 * item can be traced to its attempt.
 */
export async function sendLoad(options: LoadOptions): Promise<Ledger> {
  const { items, perRequest, everyMs, goesOn, requestOf } = options;
  const ledger: Ledger = { acknowledged: new Set(), unknown: new Set() };
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const under: Promise<void>[] = [];
  let next = 1;
  const attempt = async (numbers: readonly number[]): Promise<void> => {
    const status = await send(agent, options.url, requestOf(numbers)).catch(() => 0);
    assert.ok(status === 0 || status === 200 || isOutage(status), `an outage was answered ${status}`);
    const into = status === 200 ? ledger.acknowledged : ledger.unknown;
    for (const number of numbers) into.add(number);
  };
  while (ledger.acknowledged.size < items || goesOn()) {
    const numbers = Array.from({ length: perRequest }, (_, index) => next + index);
    next += perRequest;
    under.push(attempt(numbers));
    await sleep(everyMs);
  }
  await Promise.all(under);
  agent.destroy();
  return ledger;
}

function send(agent: Agent, url: string, { method, path, body }: LoadRequest): Promise<number> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = text === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, agent, headers, timeout: 120_000 }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
      answer.once('error', reject);
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.once('error', reject);
    sent.end(text);
  });
}
