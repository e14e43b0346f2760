import type { Processor } from '../../../runtime/processor.js';

/** After this long without a call, none is expected to be delayed. */
const quietMs = 2_000;

/** Whether this process has real-time calls: a replay would raise their latency before any lag shows. */
export class LiveCalls {
  private lastAt = -Infinity;

  get areArriving(): boolean {
    return performance.now() - this.lastAt < quietMs;
  }

  /** Wraps the processor, to observe its records. */
  of<In>(processor: Processor<In>): Processor<In> {
    return {
      ...processor,
      step: (records, context) => {
        this.lastAt = performance.now();
        return processor.step(records, context);
      },
    };
  }
}
