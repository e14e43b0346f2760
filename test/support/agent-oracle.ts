import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger, LoadRequest } from './agent-load.js';
import type { Pipeline } from './pipeline.js';

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

export function tracesOf(numbers: readonly number[]): LoadRequest {
  const start = BigInt(Date.now()) * 1_000_000n;
  const found = numbers.map((number) => ({
    traceId: hex(numbers[0] ?? 0, 32),
    spanId: hex(number, 16),
    name: 'oracle',
    kind: 1,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 1_000_000n),
    attributes: [{ key: 'number', value: { intValue: String(number) } }],
  }));
  const body = { resourceSpans: [{ scopeSpans: [{ spans: found }] }] };
  return { method: 'POST', path: '/apm/oracle/v1/traces', body };
}

export function eventsOf(numbers: readonly number[]): LoadRequest {
  const [only, ...others] = numbers;
  if (others.length === 0) return { method: 'GET', path: `/?method=gauge&metric=oracle&value=${only ?? 0}` };
  const body = numbers.map((value) => ({ metric: 'oracle', type: 'gauge', value }));
  return { method: 'POST', path: '/events', body };
}

/** Waits until the agent has nothing left to send; nothing may be in its quarantine. */
export async function spoolIsEmpty(agentUrl: string, withinMs = 600_000): Promise<void> {
  let said = '';
  const unsent = async (): Promise<number> => {
    said = await (await fetch(`${agentUrl}/status`)).text();
    const status = JSON.parse(said) as {
      forwarder: { datasets: Record<string, { unsent_bytes: number; items_quarantined: number }> };
    };
    const found = Object.values(status.forwarder.datasets);
    assert.ok(
      found.every(({ items_quarantined: quarantine }) => quarantine === 0),
      said,
    );
    return found.reduce((sum, { unsent_bytes: bytes }) => sum + bytes, 0);
  };
  for (const deadline = Date.now() + withinMs; (await unsent()) > 0;) {
    assert.ok(Date.now() < deadline, `bytes wait still: ${said}`);
    await sleep(200);
  }
}

/** Selects the spans of a workspace, by the number that `tracesOf` gave them. */
export const spansOf = (workspace: string): string =>
  `SELECT reinterpretAsUInt64(reverse(unhex(SpanId))) AS number, count() AS copies FROM telltale.otel_traces
   WHERE workspace = '${workspace}' GROUP BY number`;

/** Selects the events of a workspace, by the number that `eventsOf` gave them. */
export const storedEventsOf = (workspace: string): string =>
  `SELECT toInt64(value) AS number, count() AS copies FROM telltale.events
   WHERE workspace = '${workspace}' GROUP BY number`;

/** Waits until every acknowledged item is stored; asserts that each is stored once, and nothing unsent is. */
export async function verifyNumbers(pipeline: Pipeline, ledger: Ledger, sql: string): Promise<void> {
  let stored: Map<number, number>;
  for (let tries = 0; ; tries++) {
    const rows = await pipeline.query<{ number: string; copies: string }>(sql);
    stored = new Map(rows.map(({ number, copies }) => [Number(number), Number(copies)]));
    const missing = [...ledger.acknowledged].filter((number) => !stored.has(number));
    if (missing.length === 0) break;
    assert.ok(tries < 600, `${missing.length} are missing, between ${missing[0]} and ${missing.at(-1)}`);
    await sleep(500);
  }
  const doubled = [...stored].filter(([, copies]) => copies !== 1);
  assert.deepEqual(doubled.slice(0, 5), [], `${doubled.length} are stored more than once`);
  const strangers = [...stored.keys()].filter(
    (number) => !ledger.acknowledged.has(number) && !ledger.unknown.has(number),
  );
  assert.deepEqual(strangers, [], 'nobody sent these');
}
