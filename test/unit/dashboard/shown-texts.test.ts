import assert from 'node:assert/strict';
import { byUrgency } from '../../../dashboard/src/pages/clusters/urgency.js';
import { figureRows, figuresOf } from '../../../dashboard/src/pages/result/figures.js';
import { explanationOf } from '../../../dashboard/src/pages/result/explanations.js';
import {
  entitiesOf,
  hasMarkOf,
  markedUp,
  marksOf,
  patternOf,
} from '../../../dashboard/src/pages/result/marked-text.js';
import { sqlOf } from '../../../dashboard/src/pages/results/sql.js';
import {
  formatBytes,
  formatMillis,
  formatPercent,
  formatTimestamp,
  formatNumber,
} from '../../../dashboard/src/shared/format.js';
import { metricDeclarations } from '../../../schemas/metrics.js';

describe('figures as the dashboard writes them', () => {
  it('shows a dash for what was not measured, and 0 for 0', () => {
    assert.deepEqual(
      [formatNumber(null), formatBytes(undefined), formatMillis(null), formatTimestamp(null, 'utc')],
      ['–', '–', '–', '–'],
    );
    assert.deepEqual([formatNumber(0), formatBytes(0), formatMillis(0)], ['0', '0 B', '0 ms']);
  });

  it('writes no number as 0 that is not 0', () => {
    assert.equal(formatNumber(1 / 86_400, 2), '0.00001');
    assert.deepEqual([formatPercent(0.000_4), formatPercent(0.000_4, 1)], ['< 1 %', '< 0.1 %']);
    assert.deepEqual([formatPercent(0), formatPercent(0.006)], ['0 %', '1 %']);
    assert.equal(formatNumber(-0.02), '-0.02');
    assert.equal(formatNumber(0.05), '0.1');
  });

  it('uses units that people read', () => {
    assert.equal(formatBytes(1_610_612_736), '1.5 GiB');
    assert.equal(formatBytes(-5_368_709_120), '-5 GiB');
    assert.equal(formatMillis(90_000), '1.5 min');
    assert.equal(formatTimestamp('2026-01-02T03:04:05.678Z', 'utc'), '2026-01-02 03:04:05');
  });
});

describe('personal data in a text', () => {
  it('is marked by code points, so that an emoji counts as one', () => {
    const entities = [{ type: 'PHONE_NUMBER', start: 2, end: 5 }];
    assert.deepEqual(markedUp('😀 123!', entities), [
      { text: '😀 ' },
      { text: '123', type: 'PHONE_NUMBER' },
      { text: '!' },
    ]);
  });

  it('keeps the text whole whatever the offsets are', () => {
    for (const [start, end] of [
      [-1, 2],
      [3, 1],
      [0, 99],
      [Number.NaN, 2],
      [0, 2],
    ] as const) {
      const pieces = markedUp('abcdef', [
        { type: 'A', start, end },
        { type: 'B', start: 1, end: 4 },
      ]);
      assert.equal(pieces.map(({ text }) => text).join(''), 'abcdef', `${start} to ${end}`);
    }
  });

  it('is empty if the answer has another form', () => {
    assert.deepEqual(entitiesOf({ detected_pii: { 'prompt.pii_engine.result': 'no JSON' } }, 'prompt'), []);
    assert.deepEqual(entitiesOf({ detected_pii: null }, 'prompt'), []);
  });

  it('is kept apart for prompt and response, as patterns are', () => {
    const found = (type: string): string => JSON.stringify([{ type, start: '0', end: '3', score: '1' }]);
    const metrics = {
      detected_pii: { 'prompt.pii_engine.result': found('URL'), 'prompt.has_patterns': null },
      theme_similarity: { 'response.pii_engine.result': found('PERSON'), 'response.has_patterns': 'SSN' },
    };
    assert.deepEqual(entitiesOf(metrics, 'prompt'), [{ type: 'URL', start: 0, end: 3 }]);
    assert.deepEqual(entitiesOf(metrics, 'response'), [{ type: 'PERSON', start: 0, end: 3 }]);
    assert.deepEqual([patternOf(metrics, 'prompt'), patternOf(metrics, 'response')], [undefined, 'SSN']);
  });
});

describe('a sensitive pattern of a text', () => {
  it('counts as marked if personal data of its kind is marked', () => {
    const marked = (type: string) => [{ type, start: 0, end: 3 }];
    for (const [pattern, type] of [
      ['SSN', 'US_SSN'],
      ['credit card number', 'CREDIT_CARD'],
      ['phone number', 'PHONE_NUMBER'],
      ['email address', 'EMAIL_ADDRESS'],
    ] as const)
      assert.ok(hasMarkOf(pattern, marked(type)), pattern);
    assert.ok(!hasMarkOf('phone number', marked('EMAIL_ADDRESS')));
    assert.ok(!hasMarkOf('mailing address', []));
  });

  it('is marked at its place in words, unless personal data is marked there', () => {
    const place = { start: 2, end: 5 };
    const marked = (start: number) => marksOf([{ type: 'URL', start, end: start + 1 }], place);
    assert.deepEqual(
      [1, 2, 4, 5].map((start) => marked(start).length),
      [2, 1, 1, 2],
    );
    assert.deepEqual(markedUp('😀 123!', marksOf([], place)).at(1), {
      text: '123',
      type: 'sensitive pattern',
    });
    assert.deepEqual(marksOf([]), []);
  });
});

describe('figures of a result', () => {
  it('give each figure its own reason if the metric has several', () => {
    const unavailable = 'p.x, p.y: Set A. Or B: both do.; p.z: no C';
    const [{ figures } = { figures: [] }] = figuresOf(
      { a: { 'p.x': null, 'p.z': null, 'p.w': null, unavailable } },
      {},
    );
    assert.deepEqual(
      figures.map(({ reason }) => reason),
      ['Set A. Or B: both do.', 'no C', unavailable],
    );
  });

  it('give the reason why a figure could not be computed', () => {
    assert.deepEqual(figuresOf({ a: { x: null, y: 0, unavailable: 'no model', created_at: '' } }, {}), [
      {
        metric: 'a',
        figures: [
          { name: 'x', value: '–', reason: 'no model' },
          { name: 'y', value: '0', reason: '' },
        ],
      },
    ]);
  });
});

describe('the figures of a result as rows of a file', () => {
  it('name their metric', () => {
    assert.deepEqual(figureRows(figuresOf({ a: { x: null, y: 0, unavailable: 'no model' } }, {})), [
      { metric: 'a', name: 'x', value: '–', reason: 'no model' },
      { metric: 'a', name: 'y', value: '0', reason: '' },
    ]);
  });
});

describe('a metric of a result', () => {
  it('is explained', () => {
    for (const { key } of metricDeclarations) assert.match(explanationOf(key) ?? '', /\.$/, key);
    assert.equal(explanationOf('toString'), undefined);
  });
});

describe('the SQL behind the results', () => {
  it('has a text as a string literal, whatever it contains', () => {
    const sql = sqlOf(
      {
        ...{
          contains: "a' OR 1=1 -- \\",
          metric: '',
          outcome: 'failed',
          lane: 'task',
          key: 'k1',
          label: 'SSN',
        },
        ...{ score: 'prompt_toxicity', min: '0.5', max: '' },
      },
      { workspace: 'harbour', from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
    );
    assert.ok(sql.includes("workspace = 'harbour'"));
    assert.ok(sql.includes("'a\\' OR 1=1 -- \\\\'"));
    assert.ok(sql.includes('error IS NOT NULL'));
    assert.ok(sql.includes("lane = 'task'"));
    assert.ok(sql.includes("key_id = 'k1'"));
    assert.ok(sql.includes("has(response_pii_types, 'SSN')"));
    assert.ok(sql.includes('prompt_toxicity >= 0.5'));
    assert.ok(!sql.includes('prompt_toxicity <='));
  });
});

describe('clusters by urgency', () => {
  const cluster = (name: string, status: 'green' | 'yellow' | 'red' | null, score: number | null) => ({
    ...{ cluster_uuid: name, cluster_name: name, status, score, reason: null },
  });

  it('have a cluster of unknown status before those that are well', () => {
    const sorted = [cluster('c', 'green', 100), cluster('b', null, null), cluster('a', 'red', 0)].sort(
      byUrgency,
    );
    assert.deepEqual(
      sorted.map(({ cluster_name: name }) => name),
      ['a', 'b', 'c'],
    );
  });
});
