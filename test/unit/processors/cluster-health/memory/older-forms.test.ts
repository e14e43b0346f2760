import assert from 'node:assert/strict';
import { newMemory } from '../../../../../processors/cluster-health/memory/cluster-memory.js';
import { failedOften } from '../../../../../processors/cluster-health/memory/missing-nodes.js';
import { memoryOf, storedPiece } from '../../../../../processors/cluster-health/memory/stored-pieces.js';

const of = { workspace: 'default', cluster_uuid: 'u1' };

/** The memory that is read where a header was stored with these fields. */
function readAfter(stored: object) {
  const { header, ...pieces } = newMemory();
  const memory = { ...pieces, header: { ...header, ...stored } };
  return memoryOf([storedPiece(of, 'header', memory)]);
}

describe('a memory of clusters that an older version wrote', () => {
  it('tells how long which nodes have been missing', () => {
    const { header } = readAfter({
      slots: { nodes: { slot: 180_000, collection: 'c', parts: [1], intervalMs: 60_000, at: 181_000 } },
      unheard: { failed: [1, 2, 2], silent: { n2: 'node-n2' }, cut: 3, total: 7 },
    });
    assert.deepEqual(header.missing, {
      slot: 180_000,
      at: 181_000,
      failed: 2,
      cut: 3,
      total: 7,
      nodes: { n2: { name: 'node-n2', missed: 3, memberAt: 181_000 } },
      left: [],
      strangers: [1, 1, 0],
    });
    assert.equal(failedOften(header.missing), 1);
    assert.ok(!('unheard' in header));
  });

  it('tells when the master was known last', () => {
    assert.equal(readAfter({ health: { at: 61_000, value: {} } }).header.masterAt, 61_000);
    assert.equal(readAfter({ health: { at: 61_000, value: {} }, masterAt: 1_000 }).header.masterAt, 1_000);
  });

  it('counts no snapshot before one that all members answered', () => {
    const { header } = readAfter({ unheard: { failed: [1, 0, 1], silent: { n2: 'n' }, cut: 0, total: 2 } });
    assert.equal(header.missing?.nodes['n2']?.missed, 1);
    const { header: whole } = readAfter({ unheard: { failed: [1, 1, 0], silent: {}, cut: 0, total: 2 } });
    assert.deepEqual([whole.missing?.failed, whole.missing?.strangers], [0, []]);
  });
});
