import autocannon from 'autocannon';

/** What the load generator, a process of its own, is asked to send. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Posted; without one, the paths are got in turn. */
  readonly body?: string;
  readonly paths?: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  /** Answers 2xx. */
  readonly good: number;
  /** Anything else, connection errors and time-outs included. */
  readonly bad: number;
  readonly seconds: number;
}

process.on('message', (load: Load) => {
  void run(load).then((result) => process.send?.(result));
});

async function run({ url, headers, body, paths = [], connections, seconds }: Load): Promise<LoadResult> {
  const result = await autocannon({
    url,
    headers: { ...headers },
    ...(body === undefined
      ? { method: 'GET', requests: paths.map((path) => ({ method: 'GET' as const, path })) }
      : { method: 'POST', body }),
    connections,
    duration: seconds,
  });
  return {
    good: result['2xx'],
    bad: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
  };
}
