import autocannon from 'autocannon';

/** The load that the load generator, a separate process, sends. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST; without a body, the paths are requested by GET in turn. */
  readonly body?: string;
  readonly paths?: readonly string[];
  readonly connections: number;
  /** The most requests per second; if absent, as many as are answered. */
  readonly rate?: number;
  readonly seconds: number;
}

export interface LoadResult {
  /** Answers 2xx. */
  readonly good: number;
  /** Any other answer, including connection errors and time-outs. */
  readonly bad: number;
  /** Answers 429 and 503 that don't say when to try again. */
  readonly withoutRetryAfter: number;
  readonly seconds: number;
}

process.on('message', (load: Load) => {
  void run(load).then((result) => process.send?.(result));
});

async function run({
  url,
  headers,
  body,
  paths = [],
  connections,
  seconds,
  rate,
}: Load): Promise<LoadResult> {
  let withoutRetryAfter = 0;
  const result = await autocannon({
    url,
    headers: { ...headers },
    ...(body === undefined
      ? { method: 'GET', requests: paths.map((path) => ({ method: 'GET' as const, path })) }
      : { method: 'POST', body }),
    connections,
    duration: seconds,
    ...(rate === undefined ? {} : { overallRate: rate }),
    setupClient(client) {
      client.on('headers', ({ statusCode, headers: fields }) => {
        const refused = statusCode === 429 || statusCode === 503;
        if (refused && !fields.some((field) => field.toLowerCase() === 'retry-after')) withoutRetryAfter += 1;
      });
    },
  });
  return {
    good: result['2xx'],
    bad: result.non2xx + result.errors + result.timeouts,
    withoutRetryAfter,
    seconds: result.duration,
  };
}
