import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventTypes, numberFromQuery, readEvent, type EventFields } from '../../../schemas/custom-event.js';
import { maxAgeDays } from '../../../schemas/max-age.js';

const at = Date.parse('2026-01-15T12:00:00Z') * 1_000;
const read = (fields: EventFields, defaultStep = false) => readEvent(fields, { at, defaultStep });
const faultsOf = (fields: EventFields): string[] => {
  const reading = read(fields);
  return reading.kind === 'faults' ? reading.faults.map(({ field }) => field) : [];
};
const good = { metric: 'orders', type: 'gauge', value: 1 };

describe('a custom event', () => {
  it('is taken in each of its types', () => {
    for (const type of eventTypes)
      assert.deepEqual(read({ ...good, type }), {
        kind: 'event',
        event: { metric: 'orders', type, value: 1, cluster: null, occurredAt: null },
      });
  });

  it('names every field that is wrong', () => {
    assert.deepEqual(faultsOf({}), ['metric', 'type', 'value']);
    assert.deepEqual(faultsOf({ ...good, metric: ' ' }), ['metric']);
    assert.deepEqual(faultsOf({ ...good, metric: 'x'.repeat(256) }), ['metric']);
    assert.deepEqual(faultsOf({ ...good, metric: '😀'.repeat(255) }), []);
    assert.deepEqual(faultsOf({ ...good, type: 'Gauge' }), ['type']);
    assert.deepEqual(faultsOf({ ...good, value: '1' }), ['value']);
    assert.deepEqual(faultsOf({ ...good, value: Infinity }), ['value']);
    assert.deepEqual(faultsOf({ ...good, cluster: 7 }), ['cluster']);
    assert.deepEqual(faultsOf({ ...good, timestamp: 'yesterday' }), ['timestamp']);
  });

  it('must be within 0..100 as a percentage, and not negative as a systembyte', () => {
    const values = [-1, -0.001, 0, 100, 100.001];
    const taken = (type: string): number[] =>
      values.filter((value) => read({ metric: 'm', type, value }).kind === 'event');
    assert.deepEqual(taken('percentage'), [0, 100]);
    assert.deepEqual(taken('systembyte'), [0, 100, 100.001]);
    assert.deepEqual(taken('gauge'), values);
  });

  it("counts one if a client library's increment or decrement has no value", () => {
    for (const type of ['increment', 'decrement']) {
      const reading = read({ metric: 'm', type }, true);
      assert.ok(reading.kind === 'event' && reading.event.value === 1);
      assert.equal(read({ metric: 'm', type }).kind, 'faults');
    }
    assert.equal(read({ metric: 'm', type: 'gauge' }, true).kind, 'faults');
  });

  it('accepts a time to the microsecond, within the days that are kept', () => {
    const occurredAt = (timestamp: string): number | null | undefined => {
      const reading = read({ ...good, timestamp });
      return reading.kind === 'event' ? reading.event.occurredAt : undefined;
    };
    assert.equal(occurredAt('2026-01-15T11:59:59.123456789Z'), at - 1_000_000 + 123_456);
    assert.equal(occurredAt('2026-01-15T13:00:00+01:00'), at);
    assert.equal(occurredAt('2026-01-15T12:00'), at);
    assert.equal(occurredAt('2026-01-15'), at - 12 * 3_600_000_000);
    const day = 86_400_000;
    const timestampOf = (ms: number): string => new Date(at / 1_000 + ms).toISOString();
    assert.equal(occurredAt(timestampOf(-maxAgeDays * day)), at - maxAgeDays * day * 1_000);
    assert.equal(occurredAt(timestampOf(-maxAgeDays * day - 1)), undefined);
    assert.equal(occurredAt(timestampOf(day + 1)), undefined);
    for (const wrong of [
      '2026-02-30T00:00:00Z',
      '2026-13-01',
      '12:00',
      '1768478400',
      '2026-01-15T12:00:00+99:00',
    ])
      assert.equal(occurredAt(wrong), undefined, wrong);
  });

  it('is read from any input without an exception, and has only finite numbers', () => {
    const anything = fc.anything();
    const fields = fc.record({
      metric: fc.oneof(fc.string(), anything),
      type: fc.oneof(fc.constantFrom(...eventTypes), anything),
      value: fc.oneof(fc.double(), anything),
      cluster: anything,
      timestamp: fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        anything,
      ),
    });
    fc.assert(
      fc.property(fields, fc.boolean(), (of, step) => {
        const reading = read(of, step);
        if (reading.kind === 'faults') assert.ok(reading.faults.length > 0);
        else {
          assert.ok(Number.isFinite(reading.event.value));
          assert.ok(reading.event.metric.isWellFormed() && reading.event.metric.trim() !== '');
        }
      }),
    );
  });
});

describe('a number of a query string', () => {
  it('is decimal, and can have a plus that has become a space', () => {
    const expected: [string, number][] = [
      ['1', 1],
      ['-2.5', -2.5],
      ['.5', 0.5],
      ['1e 06', 1e6],
      [' 7', 7],
      ['1E-3', 0.001],
    ];
    for (const [text, number] of expected) assert.equal(numberFromQuery(text), number, text);
    for (const text of ['', ' ', 'x', '0x10', '1,5', 'Infinity', 'NaN', '1_000', '--1', '1e'])
      assert.ok(Number.isNaN(numberFromQuery(text)), text);
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        assert.equal(numberFromQuery(String(number)), Object.is(number, -0) ? 0 : number);
      }),
    );
  });
});
