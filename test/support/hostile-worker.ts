import { batchWorker } from '../../runtime/pool/batch-worker.js';

export interface HostileJob {
  readonly does: 'double' | 'hang' | 'exit' | 'throw' | 'eat memory';
  readonly value: number;
}

/** A worker whose jobs do what no scorer may do. */
export const answerHostile = batchWorker(({ does, value }: HostileJob): number => {
  switch (does) {
    case 'double':
      return value * 2;
    case 'hang':
      for (;;) Math.random();
    case 'exit':
      process.exit(3);
    case 'throw':
      throw new Error(`can't do ${value}`);
    case 'eat memory': {
      const eaten: number[][] = [];
      for (;;) eaten.push(new Array<number>(100_000).fill(eaten.length));
    }
  }
});
