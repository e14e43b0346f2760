import type { ReplayState } from '../runtime/replays/replay-log.js';
import { progressOf } from '../runtime/replays/replay-progress.js';

/** Shows the progress of a long command. */
export interface Progress {
  show(state: ReplayState): void;
  /** Shows the final state, always. */
  end(state: ReplayState): void;
}

const barWidth = 30;
const everyMs = { terminal: 200, lines: 5_000 } as const;

/** A progress bar on a terminal, otherwise lines of JSON. */
export function showProgress(output: NodeJS.WriteStream = process.stdout): Progress {
  const isTerminal = output.isTTY;
  let shownAt = 0;
  const write = (state: ReplayState, last: boolean): void => {
    if (isTerminal) output.write(`\r\u001b[K${barOf(state)}${last ? '\n' : ''}`);
    else output.write(`${JSON.stringify(progressOf(state))}\n`);
  };
  return {
    show(state) {
      const now = Date.now();
      if (now - shownAt < (isTerminal ? everyMs.terminal : everyMs.lines)) return;
      shownAt = now;
      write(state, false);
    },
    end: (state) => write(state, true),
  };
}

function barOf(state: ReplayState): string {
  const { records, total, failures, status } = state;
  const { rate, eta_seconds: eta } = progressOf(state);
  const part = total === null || total === 0 ? 0 : Math.min(1, records / total);
  const bar = total === null ? '' : `[${'='.repeat(part * barWidth).padEnd(barWidth)}] `;
  const of = total === null ? '' : ` of ${total}`;
  const pace = rate === null ? '' : `, ${Math.round(rate)}/s`;
  const left = eta === null || status !== 'running' ? '' : `, ${eta} s left`;
  const failed = failures === 0 ? '' : `, ${failures} refused`;
  return `${bar}${records}${of} records${pace}${left}${failed}${status === 'running' ? '' : `, ${status}`}`;
}
