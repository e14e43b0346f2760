import assert from 'node:assert/strict';
import { readSchema } from '../../../runtime/registry/registry.js';
import * as clusters from '../../../sinks/clusters/tables.js';
import { eventsSink } from '../../../sinks/events/index.js';
import { scoringResultsSink } from '../../../sinks/scoring-results/index.js';
import { spansSink } from '../../../sinks/spans/index.js';

interface Field {
  readonly name: string;
  readonly default?: unknown;
}

/** The values that ClickHouse uses for a field that the writer's schema lacks. */
const isEmpty = (value: unknown): boolean =>
  value === null || typeof value !== 'object' ? !value : Object.values(value).every(isEmpty);

describe('the schemas that sinks read', () => {
  const names = new Set(
    [scoringResultsSink, eventsSink, spansSink, ...Object.values(clusters)].map(
      ({ from }) => from.value.schema,
    ),
  );
  for (const name of names) {
    it(`have no default but the empty one, which is what an older record gets: ${name}`, () => {
      const { fields } = JSON.parse(readSchema(name)) as { readonly fields: readonly Field[] };
      const filled = fields.filter((field) => 'default' in field && !isEmpty(field.default));
      assert.deepEqual(filled, []);
    });
  }
});
