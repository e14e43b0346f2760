import assert from 'node:assert/strict';
import { eventsSink } from '../../../../sinks/events/index.js';
import { tableProgressOf } from '../../../../runtime/replays/table/table-progress.js';
import {
  reassignedTo,
  isForSinks,
  tableBoundsOf,
  tableReplay,
  type AskedTable,
} from '../../../../runtime/replays/table/table-replay-request.js';
import type { Replay } from '../../../../schemas/generated/replay.js';

const asked = (worker: AskedTable['worker'], from: string | null = null, rate: number | null = null) => ({
  request: { sink: eventsSink, from, to: null },
  rate,
  worker,
});
const written = (state: ReturnType<typeof tableReplay>): Replay => ({
  ...state,
  ...{ updated_at: 0, updated_by: 'me@here', command_id: 'c', sequence: 1 },
});

describe('a request for a replay of a table', () => {
  it('says whether sinks or a command run it, as decided by the last request', () => {
    const bySinks = written(tableReplay(asked('sinks', '5', 10), undefined));
    assert.equal(bySinks.status, 'queued');
    assert.ok(isForSinks(bySinks));
    const byCommand = written(tableReplay(asked('command', '5'), bySinks));
    assert.equal(byCommand.status, 'running');
    assert.equal(isForSinks(byCommand), false, 'sinks would take a replay from its command');
    assert.equal(tableProgressOf(byCommand.progress).rate, null);
    const resumed = reassignedTo('sinks', { ...byCommand, status: 'paused' }, 20);
    assert.ok(isForSinks(resumed));
    assert.equal(tableProgressOf(reassignedTo('sinks', resumed).progress).rate, 20);
  });

  it('treats a replay stored by an older version as one of a command', () => {
    const progress = { phase: 'filling', plan: [], holders: [], gate: null, at: {}, pieces: [], copied: 0 };
    assert.equal(isForSinks({ kind: 'table', progress: JSON.stringify(progress) }), false);
    assert.equal(tableProgressOf(JSON.stringify(progress)).worker, 'command');
    assert.equal(isForSinks({ kind: 'scoring', progress: '{"worker":"sinks"}' }), false);
  });

  it('with other bounds is for another replay, and is refused until the first has ended', () => {
    const first = written(tableReplay(asked('sinks'), undefined));
    assert.throws(() => tableReplay(asked('sinks', '5'), first), { code: 'REPLAY_DIFFERENT' });
    const next = tableReplay(asked('sinks', '5'), { ...first, status: 'done' });
    assert.equal(next.status, 'queued');
    assert.equal(tableProgressOf(next.progress).phase, 'asked');
  });

  it('hands what a cancelled replay left behind to its successor', () => {
    const left = { ...tableProgressOf(tableReplay(asked('command'), undefined).progress), holders: ['aa'] };
    const cancelled = written(tableReplay(asked('command'), undefined));
    const found = { ...cancelled, status: 'cancelled', progress: JSON.stringify({ ...left, gate: 'bb' }) };
    const { holders, gate } = tableProgressOf(tableReplay(asked('sinks'), found).progress);
    assert.deepEqual({ holders, gate }, { holders: ['aa'], gate: 'bb' });
  });

  it('has times or offsets for bounds', () => {
    assert.deepEqual(tableBoundsOf({ from: '12', to: '2026-01-02T00:00:00Z' }), {
      from: { offset: 12 },
      to: { time: Date.parse('2026-01-02T00:00:00Z') },
    });
    assert.deepEqual(tableBoundsOf({ from: null, to: null }), {});
    assert.throws(() => tableBoundsOf({ from: 'yesterday', to: null }), { code: 'MOMENT_INVALID' });
  });
});
