import assert from 'node:assert/strict';
import { readCluster } from '../../../../../http-edge/clusters/read/overview.js';
import type { Store } from '../../../../../http-edge/clusters/read/store.js';

const now = 1_795_244_700_000;
const minute = 60_000;

/** Stands in for ClickHouse: the newest row of each section, so many minutes old, and nothing else. */
const storeWith = (ages: Readonly<Record<string, number>>): Store => ({
  query: <Row>(sql: string) =>
    Promise.resolve(
      (sql.includes('LIMIT 1 BY section')
        ? Object.entries(ages).map(([section, age]) => ({
            section,
            slot_ms: now - age * minute,
            interval_seconds: 60,
            details: '{}',
          }))
        : []) as Row[],
    ),
});

async function lateOf(ages: Readonly<Record<string, number>>): Promise<Record<string, boolean>> {
  const answer = await readCluster(storeWith(ages), { workspace: 'w', uuid: 'u' }, now);
  const { sections } = answer as { sections: { section: string; late: boolean }[] };
  return Object.fromEntries(sections.map(({ section, late }) => [section, late]));
}

describe('the sections of a cluster', () => {
  it('are late once intervals have passed without them', async () => {
    assert.deepEqual(await lateOf({ health: 3, nodes: 5 }), { health: false, nodes: true });
  });

  it('are not late for having nothing new to say', async () => {
    assert.deepEqual(await lateOf({ allocation_explain: 8, capabilities: 17 }), {
      allocation_explain: false,
      capabilities: false,
    });
    assert.deepEqual(await lateOf({ allocation_explain: 11, capabilities: 21 }), {
      allocation_explain: true,
      capabilities: true,
    });
  });
});
