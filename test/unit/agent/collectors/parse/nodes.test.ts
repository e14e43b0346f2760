import assert from 'node:assert/strict';
import { parseNodeListing, parseNodeStats } from '../../../../../agent/collectors/parse/nodes.js';

const startedAt = Date.parse('2026-11-12T10:00:00Z');
const hour = 3_600_000;
const day = 24 * hour;

/** The incarnation of a node with this uptime and clock, if listing and statistics took a second. */
function incarnationOf(uptime_in_millis: number, now: number): string | null | undefined {
  const listing = { nodes: { n1: { jvm: { start_time_in_millis: startedAt } } } };
  const stats = { nodes: { n1: { timestamp: now, jvm: { timestamp: now, uptime_in_millis } } } };
  const asked = { masterId: null, total: 1, cut: 0, tookMs: 1_000 };
  return parseNodeStats([stats], parseNodeListing(listing), asked).nodes[0]?.incarnation;
}

describe('the incarnation of a node', () => {
  it('is known though its clock was set, or its machine slept, since it started', () => {
    for (const setBy of [0, hour, -hour, 400 * day]) {
      assert.equal(incarnationOf(10 * day, startedAt + 10 * day + setBy), `n1:${startedAt}`);
    }
  });

  it('is unknown if it has run no longer than the two calls took: it might have restarted between them', () => {
    assert.equal(incarnationOf(900, startedAt + day), null);
    assert.equal(incarnationOf(1_001, startedAt + 1_001), `n1:${startedAt}`);
  });
});
