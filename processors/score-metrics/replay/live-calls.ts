import type { Processor } from '../../../runtime/processor.js';

/** So long after the last call, none is expected to be held up. */
const quietMs = 2_000;

/** Whether real-time calls come in at this process: a replay beside them would be felt in their latency before any lag shows. */
export class LiveCalls {
  private lastAt = -Infinity;

  get areComing(): boolean {
    return performance.now() - this.lastAt < quietMs;
  }

  /** The processor, whose records are heard of. */
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
