import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TelltaleError } from '../../../../runtime/errors.js';
import { readCondition, sqlOf } from '../../../../runtime/replays/scoring/condition.js';

const types = new Map([
  ['prompt_toxicity', 'Nullable(Float64)'],
  ['key_id', 'LowCardinality(String)'],
  ['prompt_pii_types', 'Array(LowCardinality(String))'],
  ['scored_at', "DateTime64(6, 'UTC')"],
  ['scorer_versions', 'Map(LowCardinality(String), LowCardinality(String))'],
]);
const sqlOfOne = (text: string) => sqlOf([text], types);
const invalid = (error: unknown): boolean =>
  error instanceof TelltaleError && error.code === 'REPLAY_INVALID';

describe('a condition of a replay', () => {
  it('is a column, an operator and a value', () => {
    assert.deepEqual(readCondition('prompt_toxicity>=0.8'), {
      column: 'prompt_toxicity',
      operator: '>=',
      value: '0.8',
    });
    assert.deepEqual(readCondition("key_id = 'a b'").value, 'a b');
    assert.deepEqual(readCondition('error IS  NOT NULL'), {
      column: 'error',
      operator: 'is not null',
      value: null,
    });
  });

  it('can have spaces around its parts, and is refused if it is far too long', () => {
    assert.equal(readCondition('  key_id  =  a b  ').value, 'a b');
    assert.throws(() => readCondition(`key_id = x${' '.repeat(1_000_000)}x`), invalid);
  });

  it('becomes SQL that fits the type of its column, with its value bound', () => {
    assert.deepEqual(sqlOfOne('prompt_toxicity > 0.5'), {
      sql: 'AND prompt_toxicity > {where_0:Float64}',
      parameters: { where_0: 0.5 },
    });
    assert.equal(sqlOfOne('prompt_pii_types has EMAIL').sql, 'AND has(prompt_pii_types, {where_0:String})');
    assert.match(sqlOfOne('scored_at < 2026-01-02').sql, /parseDateTime64BestEffort/);
    assert.equal(sqlOf(['key_id = a', 'prompt_toxicity is null'], types).sql.split('\n').length, 2);
  });

  it("is refused if its column is unknown, or can't be compared in that way", () => {
    for (const text of [
      'prompt_toxicity',
      'prompt_toxicity >',
      'prompt_toxicity > high',
      'key_id is null x',
      'prompt_colour = red',
      'prompt_pii_types = EMAIL',
      'key_id has a',
      'scorer_versions = 1',
      '1 = 1 or key_id = a',
    ])
      assert.throws(() => sqlOfOne(text), invalid, text);
  });

  it('puts nothing of its value into SQL', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        const text = `key_id = '${value}'`;
        assert.deepEqual(sqlOfOne(text), {
          sql: 'AND toString(key_id) = {where_0:String}',
          parameters: { where_0: value },
        });
      }),
    );
  });
});
