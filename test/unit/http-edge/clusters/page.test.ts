import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  afterCluster,
  afterEntry,
  afterScore,
  inSnapshot,
  ofFiltered,
  type CursorForm,
} from '../../../../http-edge/clusters/cursors.js';
import { pageOf } from '../../../../http-edge/clusters/page.js';
import { queryOf } from '../../../../http-edge/clusters/query.js';
import { clusterParameters } from '../../../../schemas/openapi/cluster-paths.js';

const milliseconds = fc.integer({ min: 0, max: 999_999_999_999_999 });
const microseconds = fc.integer({ min: 946_684_800_000_000, max: 4_102_444_800_000_000 });
const offset = fc.integer({ min: 0, max: 1_000_000 });

describe('a page of a list of clusters', () => {
  it('has a limit, starts at the first item by default, and refuses invalid limits and cursors', () => {
    assert.deepEqual(pageOf(queryOf('/x'), inSnapshot.nodes), {
      limit: 100,
      after: undefined,
      cursors: inSnapshot.nodes,
    });
    assert.deepEqual(pageOf(queryOf('/x?limit=5&cursor=n-1700000000000-10'), inSnapshot.nodes), {
      limit: 5,
      after: { slot: 1_700_000_000_000, offset: 10 },
      cursors: inSnapshot.nodes,
    });
    for (const query of [
      'limit=0',
      'limit=1001',
      'limit=x',
      'limit=5&limit=6',
      'cursor=',
      'cursor=7',
      'cursor=1-1',
      'cursor=n-1-9999999',
    ]) {
      assert.throws(() => pageOf(queryOf(`/x?${query}`), inSnapshot.nodes), { kind: 'invalid' });
    }
  });

  const refuses = (form: CursorForm<unknown>, cursor: string): void => {
    assert.throws(() => pageOf(queryOf(`/x?cursor=${cursor}`), form), { kind: 'invalid' });
  };

  /** The pattern in the document. */
  const patternOf = (name: string): RegExp =>
    new RegExp(clusterParameters[name]?.schema['pattern'] as string);

  it('continues where the previous one ended, as its cursor says', () => {
    const comesBack = <Position>(
      name: string,
      form: CursorForm<Position>,
      positions: fc.Arbitrary<Position>,
    ): void => {
      const pattern = patternOf(name);
      fc.assert(
        fc.property(positions, (made) => {
          const position = { ...made };
          const cursor = form.write(position);
          assert.match(cursor, pattern);
          assert.deepEqual(pageOf(queryOf(`/x?cursor=${cursor}`), form).after, position);
        }),
      );
    };
    const positions = fc.record({ slot: milliseconds, offset });
    comesBack('NodeCursor', inSnapshot.nodes, positions);
    comesBack('IndexCursor', inSnapshot.indices, positions);
    comesBack('ShardCursor', inSnapshot.shards, positions);
    comesBack('TaskCursor', inSnapshot.tasks, positions);
    comesBack('RecoveryCursor', inSnapshot.recoveries, positions);
    comesBack('DataStreamCursor', inSnapshot.data_streams, positions);
    comesBack('ScoreCursor', afterScore, fc.record({ at: milliseconds, offset: milliseconds }));
    comesBack(
      'EntryCursor',
      afterEntry,
      fc.record(
        { at: microseconds, id: fc.stringMatching(/^[0-9a-f]{32}$/), took: offset },
        { requiredKeys: ['at', 'id'] },
      ),
    );
    comesBack('ClusterCursor', afterCluster, fc.record({ uuid: fc.stringMatching(/^[\w-]{1,64}$/) }));
  });

  it('refuses a cursor of the list under another filter, where it would mean another position', () => {
    const { shards } = inSnapshot;
    const filtered = ofFiltered(shards, { state: 'UNASSIGNED' });
    const position = { slot: 999_999_999_999_999, offset: 1_000_000 };
    const cursor = filtered.write(position);
    assert.match(cursor, patternOf('ShardCursor'));
    assert.deepEqual(filtered.read(cursor), position);
    refuses(shards, cursor);
    refuses(ofFiltered(shards, { state: 'STARTED' }), cursor);
    refuses(filtered, shards.write(position));
    assert.equal(ofFiltered(shards, {}), shards);
  });

  it('refuses a cursor of another list', () => {
    const at = 1_763_708_898_000;
    const written: readonly (readonly [CursorForm<unknown>, string])[] = [
      ...Object.values(inSnapshot).map((form) => [form, form.write({ slot: at, offset: 42 })] as const),
      [afterScore, afterScore.write({ at, offset: 42 })],
      [afterEntry, afterEntry.write({ at: at * 1_000, id: '0'.repeat(32) })],
      [afterCluster, afterCluster.write({ uuid: `${at}-42` })],
    ];
    for (const [own, cursor] of written) {
      assert.notEqual(pageOf(queryOf(`/x?cursor=${cursor}`), own).after, undefined);
      for (const [form] of written) if (form !== own) refuses(form, cursor);
    }
    refuses(afterEntry, `o-9999999999999999-${'0'.repeat(32)}`);
  });
});
