import assert from 'node:assert/strict';
import {
  newMemory,
  type HeaderMemory,
} from '../../../../../processors/cluster-health/memory/cluster-memory.js';
import { rememberCapabilities } from '../../../../../processors/cluster-health/memory/history.js';
import { reasonOf } from '../../../../../processors/cluster-health/situation/freshness.js';
import type { SectionName } from '../../../../../schemas/snapshots.js';
import { capabilitiesSection } from '../../../../../schemas/snapshots/capability-section.js';

const minute = 60_000;
const begin = 1_795_244_700_000;

const slotBy = (reporter: string) => ({
  slot: begin,
  collection: 'c',
  reporter,
  parts: [1],
  intervalMs: minute,
  at: begin,
});

function headerWith(owners: Partial<Record<SectionName, string>> = {}): HeaderMemory {
  const { header } = newMemory();
  for (const [section, reporter] of Object.entries(owners)) header.slots[section] = slotBy(reporter);
  return header;
}

/** Records an agent's report about the shards, this many minutes after the start. */
function tell(header: HeaderMemory, reporter: string, reason: string | null, after: number): void {
  const state = reason === null ? 'ok' : 'failing';
  const body = capabilitiesSection.parse({ sections: [{ section: 'shards', state, reason }] });
  rememberCapabilities(header, reporter, body, begin + after * minute);
}

describe('the memory of what agents can collect', () => {
  it('has the newest ten reporters, however many names an agent had in a day', () => {
    const header = headerWith();
    for (let restart = 0; restart < 300; restart += 1) tell(header, `pod-${restart}`, null, restart / 100);
    const names = Object.keys(header.capabilitiesOf ?? {});
    assert.equal(names.length, 10);
    assert.ok(names.includes('pod-299') && names.includes('pod-290'));
  });
});

describe('why a section is not collected', () => {
  it('is taken from the agent that collected it last', () => {
    const header = headerWith({ shards: 'one', health: 'two' });
    tell(header, 'one', 'of one', 1);
    tell(header, 'two', 'of two', 2);
    assert.match(reasonOf(header, 'shards'), /of one/);
  });

  it('is taken from the agent that collects the health, if none has collected the section', () => {
    const header = headerWith({ health: 'one' });
    tell(header, 'one', 'of one', 1);
    tell(header, 'two', 'of two', 2);
    assert.match(reasonOf(header, 'shards'), /of one/);
  });

  it('is not taken from an agent that is gone, even if it collected it last', () => {
    const header = headerWith({ shards: 'one', health: 'two' });
    tell(header, 'one', null, 0);
    tell(header, 'two', 'of two', 15);
    assert.equal(reasonOf(header, 'shards'), 'not collected');
    tell(header, 'two', 'of two', 30);
    assert.match(reasonOf(header, 'shards'), /of two/);
  });

  it('is taken from the newest report, if no agent has collected anything', () => {
    const header = headerWith();
    tell(header, 'one', 'of one', 2);
    tell(header, 'two', 'of two', 1);
    assert.match(reasonOf(header, 'shards'), /of one/);
  });
});
