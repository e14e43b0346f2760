import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { ScoringResult } from '../../../../schemas/generated/scoring-result.js';
import {
  columnsByKey,
  columnsByMetric,
  entityTypeColumns,
} from '../../../../sinks/scoring-results/columns.js';
import { scoringResultsSink } from '../../../../sinks/scoring-results/index.js';
import { timestamp } from '../../../../runtime/clickhouse/timestamp.js';

const table = readFileSync('sinks/scoring-results/migrations/001-scoring-results.sql', 'utf8');
const columns = new Set([...table.matchAll(/^ {4}(\w+) [A-Z]/gm)].map(([, name]) => name));

const result: ScoringResult = {
  id: '0b9c6f6e-5d5e-4b5a-9f0e-0d6c1d2e3f40',
  workspace: 'harbour',
  key_id: 'k1',
  lane: 'task',
  metric: 'all',
  prompt: 'Where is it?',
  response: 'There.',
  metrics: JSON.stringify({
    text_metrics: { created_at: 'x', 'prompt.letter_count': 9, 'prompt.has_patterns': null },
    detected_pii: {
      created_at: 'x',
      'prompt.pii_engine.result':
        '[{"type":"URL","start":"0","end":"3","score":"0.6"},{"type":"CREDIT_CARD"},{"type":"URL"}]',
      'prompt.pii_engine.entities_count': 3,
    },
    hallucination: { created_at: 'x', final_score: 0.5, llm_score: null, unavailable: 'no language model' },
  }),
  error: null,
  scorer_versions: { text_metrics: '1' },
  accepted_at: 1_700_000_000_123_456,
  appended_at: 1_700_000_000_200_000,
  taken_at: 1_700_000_000_300_000,
  scored_at: 1_700_000_000_400_007,
};

const textOf = (value: ScoringResult): string =>
  scoringResultsSink.row({
    topic: 'scoring.results',
    partition: 0,
    offset: 1,
    key: value.id,
    value,
    appendedAt: 1_700_000_000_500_000,
  });
const rowOf = (value: ScoringResult): Readonly<Record<string, unknown>> =>
  JSON.parse(textOf(value)) as Record<string, unknown>;

/** The row as an object, put together in the plainest way: what the text has to say. */
function plainRow(value: ScoringResult): unknown {
  const { metrics, id, accepted_at, appended_at, taken_at, scored_at, ...same } = value;
  const row: Record<string, unknown> = { ...same, task_id: id, metrics };
  const times = { accepted_at, appended_at, taken_at, scored_at, result_appended_at: 1_700_000_000_500_000 };
  for (const [name, micros] of Object.entries(times)) row[name] = timestamp(micros);
  if (metrics === null) return row;
  const unavailable = new Map<string, string>();
  for (const [metric, values] of Object.entries(JSON.parse(metrics) as Record<string, object>)) {
    for (const [key, measured] of Object.entries(values) as [string, unknown][]) {
      const column = columnsByKey.get(key) ?? columnsByMetric[metric]?.get(key);
      const types = entityTypeColumns.get(key);
      if (key === 'unavailable') unavailable.set(metric, measured as string);
      else if (measured === null) continue;
      else if (column !== undefined) row[column] = measured;
      else if (types !== undefined)
        row[types] = [
          ...new Set((JSON.parse(measured as string) as { type: string }[]).map(({ type }) => type)),
        ].sort();
    }
  }
  row['unavailable'] = Object.fromEntries(unavailable);
  return row;
}

const metricName = fc.constantFrom(
  'text_metrics',
  'hallucination',
  'detected_prompt_injection',
  'of "tomorrow"',
);
const knownKey = fc.constantFrom(
  ...columnsByKey.keys(),
  ...Object.values(columnsByMetric).flatMap((byKey) => [...byKey.keys()]),
);
const measuredValue = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.string(),
  fc.boolean(),
);
const entityList = fc
  .array(fc.record({ type: fc.constantFrom('URL', 'CREDIT_CARD', 'a "b"') }))
  .map((list) => JSON.stringify(list));
const metricObject = fc
  .tuple(
    fc.dictionary(knownKey, measuredValue, { maxKeys: 20 }),
    fc.dictionary(fc.constantFrom(...entityTypeColumns.keys()), entityList),
    fc.dictionary(fc.constantFrom('unavailable', 'created_at', 'of tomorrow'), fc.string()),
  )
  .map((parts) => Object.assign({}, ...parts) as Record<string, unknown>);
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u0001', 'ü') }),
);
const anyResult: fc.Arbitrary<ScoringResult> = fc.record({
  id: fc.uuid(),
  workspace: text,
  key_id: text,
  lane: fc.constantFrom('task', 'realtime'),
  metric: text,
  prompt: text,
  response: fc.option(text),
  metrics: fc.option(fc.dictionary(metricName, metricObject).map((metrics) => JSON.stringify(metrics))),
  error: fc.option(text),
  scorer_versions: fc.dictionary(
    text.filter((name) => name !== '__proto__'),
    text,
  ),
  accepted_at: fc.nat({ max: 4_000_000_000_000_000 }),
  appended_at: fc.nat({ max: 4_000_000_000_000_000 }),
  taken_at: fc.nat({ max: 4_000_000_000_000_000 }),
  scored_at: fc.nat({ max: 4_000_000_000_000_000 }),
});

describe('scoring results sink', () => {
  it('puts numbers and labels into typed columns, whichever metric carries them', () => {
    const row = rowOf(result);
    assert.equal(row['prompt_letter_count'], 9);
    assert.deepEqual(row['prompt_pii_types'], ['CREDIT_CARD', 'URL']);
    assert.equal(row['prompt_pii_engine_entities_count'], 3);
    assert.equal(row['response_hallucination'], 0.5);
  });

  it('leaves out what was not computed, and keeps the reason', () => {
    const row = rowOf(result);
    assert.ok(!('prompt_has_patterns' in row) && !('hallucination_llm_score' in row));
    assert.deepEqual(row['unavailable'], { hallucination: 'no language model' });
  });

  it('makes a row of a failed request too', () => {
    const row = rowOf({ ...result, metrics: null, error: 'no model' });
    assert.equal(row['error'], 'no model');
    assert.equal(row['metrics'], null);
  });

  it('names only columns that the table has', () => {
    const named = [
      ...columnsByKey.values(),
      ...Object.values(columnsByMetric).flatMap((map) => [...map.values()]),
      ...entityTypeColumns.values(),
      ...Object.keys(rowOf(result)),
    ];
    assert.deepEqual(
      named.filter((name) => !columns.has(name)),
      [],
    );
  });

  it('gives the same bytes for the same record, whatever came between', () => {
    const before = textOf(result);
    textOf({ ...result, metrics: JSON.stringify({ text_metrics: { 'prompt.toxicity': 1 } }) });
    assert.equal(textOf(structuredClone(result)), before);
  });

  it('says all that a result says and no more, naming no column twice', () => {
    fc.assert(
      fc.property(anyResult, (drawn) => {
        const written = textOf(drawn);
        assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify(plainRow(drawn))));
        assert.equal(JSON.stringify(JSON.parse(written)), written);
      }),
    );
  });

  it('keeps every microsecond', () => {
    assert.equal(timestamp(1_700_000_000_123_456), '2023-11-14 22:13:20.123456');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), fc.nat({ max: 999_999 }), (seconds, micros) => {
        const text = timestamp(seconds * 1_000_000 + micros);
        assert.equal(Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`) / 1_000, seconds);
        assert.equal(Number(text.slice(20)), micros);
      }),
    );
  });
});
