import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { CustomEvent } from '../../../../schemas/generated/custom-event.js';
import { eventsSink } from '../../../../sinks/events/index.js';

const event: CustomEvent = {
  workspace: 'acme',
  key_id: 'k1',
  metric: 'orders',
  type: 'increment',
  value: 2.5,
  cluster: null,
  occurred_at: 1_700_000_000_123_456,
  received_at: 1_700_000_001_000_000,
  source: 'edge',
};
const rowOf = (value: CustomEvent) =>
  eventsSink.row({
    ...{ topic: 'ingest.events', partition: 0, offset: 7, key: 'acme:orders' },
    value,
    appendedAt: 1_700_000_002_000_000,
  });

describe('a row of telltale.events', () => {
  it('has every field of the event, its times to the microsecond, and an empty cluster for none', () => {
    assert.deepEqual(rowOf(event), {
      workspace: 'acme',
      metric: 'orders',
      type: 'increment',
      value: 2.5,
      cluster: '',
      occurred_at: '2023-11-14 22:13:20.123456',
      received_at: '2023-11-14 22:13:21.000000',
      appended_at: '2023-11-14 22:13:22.000000',
      key_id: 'k1',
      source: 'edge',
    });
    assert.equal(rowOf({ ...event, cluster: 'eu-1' })['cluster'], 'eu-1');
  });

  it('gives the same bytes for the same record', () => {
    assert.equal(JSON.stringify(rowOf(event)), JSON.stringify(rowOf(structuredClone(event))));
  });

  it('names only columns that the table has', () => {
    const sql = readFileSync('sinks/events/migrations/010-events.sql', 'utf8');
    for (const name of Object.keys(rowOf(event))) assert.match(sql, new RegExp(`^ {4}${name} `, 'm'));
  });
});
