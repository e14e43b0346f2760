import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { metrics } from '../../../processors/score-metrics/metrics/registry.js';
import { standardSettings } from '../../../processors/score-metrics/metrics/settings.js';
import { AnalysedText } from '../../../processors/score-metrics/metrics/text/analysed-text.js';
import { metricKeys, type MetricKey } from '../../../schemas/metrics.js';
import { metricObjectSchemas, nameOf } from '../../../schemas/openapi/metric-objects.js';
import { scores } from '../../../schemas/scores.js';

const folder = 'sinks/scoring-results';
const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');
const migrations = readdirSync(join(folder, 'migrations'))
  .toSorted()
  .map((name) => read('migrations', name));
const insert = read('insert.sql');

/** The columns of the table with their types, except those that the loop and the server fill. */
const declared = new Map(
  migrations
    .flatMap((sql) => [
      ...sql.matchAll(
        /^(?: {4}|ALTER TABLE \S+ ADD COLUMN IF NOT EXISTS )([a-z]\w*) ([A-Z][\w()', ]*?)(?: [A-Z]|,?$)/gm,
      ),
    ])
    .map(([, name = '', type = '']) => [name, type] as const)
    .filter(([name]) => name !== 'inserted_at'),
);

/** The fields of a record other than the values of its metrics. */
const beside =
  'task_id workspace key_id lane metric error accepted_at appended_at taken_at scored_at result_appended_at version prompt response metrics scorer_versions pattern_places unavailable'.split(
    ' ',
  );

type Properties = Readonly<Record<string, { readonly type?: string | readonly string[] }>>;

/** The documented values of a metric, in its own call or in the combined one. */
function documented(metric: MetricKey, combined: boolean): Properties {
  const schemas = metricObjectSchemas();
  const name = nameOf(metric);
  const schema = (combined ? schemas[`Combined${name}`] : undefined) ?? schemas[name];
  const values = Object.entries(schema?.['properties'] as Properties);
  return Object.fromEntries(values.filter(([key]) => key !== 'created_at' && key !== 'unavailable'));
}

/** Values stored under another name or, if null, only in the column `metrics`. */
const elsewhere: Readonly<Record<string, string | null>> = {
  'prompt.pii_engine.result': 'prompt_pii_types',
  'response.pii_engine.result': 'response_pii_types',
  'hallucination.samples': null,
  'hallucination.response': null,
  'hallucination.final_score': 'response_hallucination',
  'detected_prompt_injection.score': 'prompt_injection_proactive_detection',
  'detected_prompt_injection.response': null,
};

/** A key without a dot has a meaning only within its metric. */
const values = metricKeys.flatMap((metric) =>
  Object.entries(documented(metric, true)).map(([key, { type = [] }]) => {
    const name = key.includes('.') ? key : `${metric}.${key}`;
    const column = elsewhere[name] === undefined ? name.replaceAll('.', '_') : elsewhere[name];
    return { key, column, type: type[0] ?? '' };
  }),
);
const stored = values.filter(({ column }) => column !== null);
const sorted = (names: Iterable<string | null>): (string | null)[] => [...new Set(names)].sort();

describe('the values of the metrics', () => {
  for (const combined of [false, true])
    it(`are all in the OpenAPI document, ${combined ? 'of the combined call' : 'each alone'}`, () => {
      const [prompt, response] = ['A prompt.', 'A response.'].map(
        (text) => new AnalysedText(text, standardSettings),
      ) as [AnalysedText, AnalysedText];
      for (const metric of metrics)
        assert.deepEqual(
          sorted(Object.keys(metric.score({ prompt, response, combined }).values)),
          sorted(Object.keys(documented(metric.key, combined))),
          metric.key,
        );
    });

  it('have a column each, and the table has no other', () => {
    assert.deepEqual(sorted(declared.keys()), sorted([...beside, ...stored.map(({ column }) => column)]));
  });

  it('are in the view, which was created after the last column was added', () => {
    const last = (statement: string): number => migrations.findLastIndex((sql) => sql.includes(statement));
    assert.ok(last('CREATE OR REPLACE VIEW telltale.scoring_results') >= last('ADD COLUMN'));
  });

  it('are numbers and texts in the table as they are in the OpenAPI document', () => {
    const forms: Readonly<Record<string, RegExp>> = {
      integer: /^Nullable\(UInt32\)$/,
      number: /^Nullable\(Float64\)$/,
      string: /^LowCardinality\(Nullable\(String\)\)$|^Array/,
    };
    const wrong = stored.filter(
      ({ column, type }) => forms[type]?.test(declared.get(column ?? '') ?? '') !== true,
    );
    assert.deepEqual(wrong, []);
  });

  it('are all inserted', () => {
    const columns =
      /\(\n([^)]*),\s*_topic,/
        .exec(insert)?.[1]
        ?.split(/,\s*/)
        .map((name) => name.trim()) ?? [];
    assert.deepEqual(sorted(columns), sorted(declared.keys()));
    const taken = [...insert.matchAll(/`?([\w.]+)`? Nullable\((?:UInt32|Float64|String)\)/g)].map(
      ([, key]) => key ?? '',
    );
    for (const { key } of stored) {
      assert.ok(taken.includes(key), `insert.sql doesn't take ${key} from the record`);
      assert.match(insert, new RegExp(`tupleElement\\([^()]*, '${key}'\\)`), `insert.sql leaves ${key} out`);
    }
  });

  it('are among the scores if they are numbers', () => {
    const numbers = stored.filter(({ type }) => type !== 'string').map(({ column }) => column);
    assert.deepEqual(sorted(scores), sorted(numbers));
  });

  it('are described in docs/scorers.md', () => {
    const text = readFileSync('docs/scorers.md', 'utf8');
    const names = (key: string): string[] => {
      const name = key.replace(/^(?:prompt|response)\./, '');
      return [key, name, `prompt.${name}`];
    };
    const missing = values.filter(({ key }) => !names(key).some((name) => text.includes(`\`${name}\``)));
    assert.deepEqual(sorted(missing.map(({ key }) => key)), []);
  });
});
