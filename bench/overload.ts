import { setTimeout as sleep } from 'node:timers/promises';
import { openAcceptServer, type AcceptBenchOptions, type AcceptServer, type TaskRequest } from './accept.js';
import { besideConstant, compareFigures, type ComparisonResult } from './comparison.js';
import { startChild, type Child } from './servers/child.js';
import type { Load, LoadResult } from './servers/load.js';
import type { MeasuredFigures } from './servers/measured.js';

const pairs = 3;
const seconds = 5;
const times = 3;
/** Connections that keep the edge busy, and connections that can wait at once if it is overloaded. */
const connections = { capacity: 64, overload: 2_000 };

/** Tasks at three times the rate that the edge can accept: how many it still accepts, and at what cost. */
export async function measureOverload(
  options: Pick<AcceptBenchOptions, 'brokers' | 'registryConfig'>,
  say: (line: string) => void,
): Promise<readonly ComparisonResult[]> {
  const load = startChild(new URL('./servers/load.js', import.meta.url));
  const { server, request } = await openAcceptServer(options);
  try {
    return await measure(server, load, request, say);
  } finally {
    await Promise.all([load.stop(), server.child.stop()]);
  }
}

async function measure(
  server: AcceptServer,
  generator: Child,
  request: TaskRequest,
  say: (line: string) => void,
): Promise<readonly ComparisonResult[]> {
  const run = async (more: Pick<Load, 'connections' | 'rate'>): Promise<LoadResult> =>
    (await generator.ask({ ...request, ...more, seconds })) as LoadResult;
  let capacity = 0;
  let untold = 0;
  let refused = 0;
  const alive: number[] = [];
  const resident: number[] = [];
  const results = await compareFigures(
    {
      floorName: `the same at capacity, ${connections.capacity} connections`,
      pairs,
      figures: [
        {
          name: `tasks accepted of ${times} times as many as it can take (acks=all, 1.5 KB)`,
          unit: 'requests/s',
          target: { atLeast: 0.8 },
        },
      ],
      floor: async () => {
        const { good, seconds: took } = await run({ connections: connections.capacity });
        capacity = good / took;
        return [capacity];
      },
      ours: async () => {
        if (capacity === 0) capacity = (await run({ connections: connections.capacity })).good / seconds;
        const rate = Math.round(times * capacity);
        const watch = watchLiveness(server.url);
        const result = await run({ connections: connections.overload, rate });
        alive.push(...(await watch.stop()));
        const { resident: bytes } = (await server.child.ask({})) as MeasuredFigures;
        resident.push(bytes / 2 ** 20);
        untold += result.withoutRetryAfter;
        refused += result.bad;
        return [result.good / result.seconds];
      },
    },
    say,
  );
  say(`${refused} were refused, ${untold} of them without Retry-After`);
  return [...results, ...besideBounds({ alive, resident, untold })];
}

interface Seen {
  /** Milliseconds that each /livez took. */
  readonly alive: readonly number[];
  /** MiB, after each round. */
  readonly resident: readonly number[];
  readonly untold: number;
}

function besideBounds({ alive, resident, untold }: Seen): readonly ComparisonResult[] {
  return [
    besideConstant({
      name: `/livez at ${times} times the load, p99`,
      unit: 'ms',
      floorName: 'what it may take',
      ours: percentile(alive, 0.99),
      floor: 100,
      target: { atMost: 1 },
    }),
    besideConstant({
      name: `resident memory of the edge after ${pairs} more rounds at ${times} times the load`,
      unit: 'MiB',
      floorName: 'after the first',
      ours: resident.at(-1) ?? 0,
      floor: resident[0] ?? 0,
      target: { atMost: 1.2 },
    }),
    besideConstant({
      name: `refusals without Retry-After at ${times} times the load`,
      unit: 'answers',
      floorName: 'what there may be, and one',
      ours: untold,
      floor: 1,
      target: { atMost: 0 },
    }),
  ];
}

function watchLiveness(url: string): { stop(): Promise<readonly number[]> } {
  const took: number[] = [];
  let stopping = false as boolean;
  const asking = (async () => {
    while (!stopping) {
      const start = performance.now();
      await (await fetch(new URL('/livez', url))).text();
      took.push(performance.now() - start);
      await sleep(20);
    }
  })();
  return {
    async stop() {
      stopping = true;
      await asking;
      return took;
    },
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
}
