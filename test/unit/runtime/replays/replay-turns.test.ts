import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { takeTurns } from '../../../../runtime/replays/replay-turns.js';
import type { Replay } from '../../../../schemas/generated/replay.js';

const replay = (id: string): Replay => ({
  ...{ id, kind: 'scoring', what: '', status: 'queued', records: 0, total: null, failures: 0, rate: null },
  ...{ progress: '', reason: null, created_at: Number(id.slice(-1)), updated_at: 0, updated_by: '' },
  ...{ command_id: '', sequence: 0, parameters: JSON.stringify({ workspace: id.slice(0, -1) }) },
});

describe('the turns of replays', () => {
  let waiting: Replay[];
  let worked: string[];
  let looks: number;

  /** Runs turns until no replay is waiting. */
  async function untilDone(work: (id: string, leave: AbortSignal) => Promise<boolean>): Promise<void> {
    const stopping = new AbortController();
    const options = {
      free: () => {
        looks++;
        return waiting;
      },
      turnMs: 5,
      lookEveryMs: 1,
      work: async (next: Replay, leave: AbortSignal) => {
        waiting = waiting.filter((one) => one !== next);
        worked.push(next.id);
        if (!(await work(next.id, leave))) waiting.push(next);
        if (waiting.length === 0) stopping.abort();
      },
    };
    await takeTurns(options, stopping.signal);
  }
  beforeEach(() => {
    worked = [];
    looks = 0;
  });

  it('rotate among workspaces, and go to the oldest replay of each', async () => {
    waiting = ['noisy3', 'noisy1', 'noisy2', 'noisy4', 'quiet5', 'other7', 'quiet6'].map(replay);
    await untilDone(() => Promise.resolve(true));
    assert.deepEqual(worked, ['noisy1', 'quiet5', 'other7', 'noisy2', 'quiet6', 'noisy3', 'noisy4']);
  });

  it('end if another workspace waits, and continue after its turn', async () => {
    waiting = ['long1', 'quiet2'].map(replay);
    let turns = 0;
    await untilDone(async (id, leave) => {
      if (id !== 'long1' || ++turns > 1) return true;
      await new Promise((resolve) => leave.addEventListener('abort', resolve));
      return false;
    });
    assert.deepEqual(worked, ['long1', 'quiet2', 'long1']);
  });

  it('do not end for others of the same workspace', async () => {
    waiting = ['long1', 'long2'].map(replay);
    await untilDone(async (id, leave) => {
      const until = looks + 3;
      if (id === 'long1') while (looks < until) await setTimeout(1);
      assert.equal(leave.aborted, false);
      return true;
    });
    assert.deepEqual(worked, ['long1', 'long2']);
  });
});
