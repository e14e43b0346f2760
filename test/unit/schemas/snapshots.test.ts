import assert from 'node:assert/strict';
import fc from 'fast-check';
import { snapshotSchemas } from '../../../schemas/openapi/snapshot-schema.js';
import { parseSnapshot, sectionNames, slotOf, snapshotId } from '../../../schemas/snapshots.js';

const item = (over: object = {}): Record<string, unknown> => ({
  cluster_uuid: 'yxJ7JPe1R36RdP91p5U7EQ',
  section: 'health',
  slot: 1_795_244_880_000,
  interval_seconds: 60,
  collection: 'c1',
  taken_at: 1_795_244_914_524,
  took_ms: 12,
  part: 1,
  parts: 1,
  body: { status: 'yellow', no_master: false },
  ...over,
});

type DocumentedTexts = Readonly<Record<string, { readonly maxLength: number }>>;

const topologyNode = { node_id: 'n1', is_data: true, is_master_eligible: true };
const attributes = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`rack-${number}`, 'a']));

const reasonOf = (over: object): string => {
  const parsed = parseSnapshot(item(over));
  return parsed.ok ? 'taken' : parsed.reason;
};

describe('a snapshot that arrives', () => {
  it('is accepted, and what it does not report is null, never zero', () => {
    const parsed = parseSnapshot(item());
    assert.ok(parsed.ok && parsed.snapshot.section === 'health');
    assert.equal(parsed.snapshot.body.status, 'yellow');
    assert.equal(parsed.snapshot.body.unassigned_shards, null);
    assert.equal(parsed.snapshot.partial, false);
  });

  it('loses unknown fields', () => {
    const parsed = parseSnapshot(item({ surprise: 1, body: { no_master: true, surprise: 1 } }));
    assert.ok(parsed.ok);
    assert.ok(!('surprise' in parsed.snapshot) && !('surprise' in parsed.snapshot.body));
  });

  for (const [what, over, field] of [
    ['a cluster without an identity', { cluster_uuid: '_na_' }, /cluster_uuid: .*no identity/],
    [
      'a timestamp that no table has a date for',
      {
        section: 'tasks',
        body: { tasks: [{ task_id: 't', action: 'a', kind: 'reindex', started_at: 253_402_300_800_000 }] },
      },
      /started_at/,
    ],
    [
      'a number of a shard that no table has room for',
      { section: 'recovery', body: { recoveries: [{ index: 'a', shard: 2 ** 31 }] } },
      /shard/,
    ],
    ['an unknown section', { section: 'weather' }, /^section/],
    ['a slot off the grid', { slot: 1_795_244_880_001 }, /^slot: must be a multiple/],
    ['a part beyond its parts', { part: 3, parts: 2 }, /^part: is 3 of 2/],
    ['a negative count', { body: { no_master: false, nodes: -1 } }, /^body of health: nodes/],
    ['a status that is none', { body: { no_master: false, status: 'blue' } }, /^body of health: status/],
    ['no body', { body: undefined }, /^body of health/],
    [
      'a node without an id',
      { section: 'nodes', body: { nodes: [{ name: 'n1', operations: {} }] } },
      /nodes\.0\.node_id/,
    ],
    [
      'a node with more attributes than any has, which each of its rows would repeat',
      { section: 'topology', body: { nodes: [{ ...topologyNode, attributes: attributes(51) }] } },
      /nodes\.0\.attributes: .*50/,
    ],
  ] as const) {
    it(`is refused with the field named: ${what}`, () => {
      assert.match(reasonOf(over), field);
    });
  }

  for (const field of ['cluster_name', 'cluster_version', 'reporter', 'collection'] as const) {
    it(`has a text as long as the OpenAPI document says, and no longer: ${field}`, () => {
      const documented = snapshotSchemas['AgentSnapshot']?.['properties'] as DocumentedTexts;
      const longest = documented[field]?.maxLength ?? 0;
      assert.equal(reasonOf({ [field]: 'x'.repeat(longest) }), 'taken');
      assert.match(reasonOf({ [field]: 'x'.repeat(longest + 1) }), new RegExp(`^${field}`));
    });
  }

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...sectionNames), (anything, section) => {
        parseSnapshot(anything);
        parseSnapshot(item({ section, body: anything }));
      }),
    );
  });
});

describe('the identity of a snapshot', () => {
  const at = { cluster_uuid: 'u', section: 'nodes', slot: 60_000, part: 1 } as const;

  it('is the same for two agents in one interval, whenever in it each of them asks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 299_999 }),
        fc.integer({ min: 0, max: 299_999 }),
        (one, other) => {
          const start = 1_795_244_700_000;
          assert.equal(slotOf(start + one, 300), slotOf(start + other, 300));
        },
      ),
    );
  });

  it('differs by cluster, section, slot and part', () => {
    const others = [
      { ...at, cluster_uuid: 'v' },
      { ...at, section: 'health' as const },
      { ...at, slot: 120_000 },
      { ...at, part: 2 },
    ];
    assert.equal(new Set([at, ...others].map(snapshotId)).size, 5);
    assert.equal(snapshotId(at), snapshotId({ ...at }));
  });
});
