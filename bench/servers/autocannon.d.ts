/** The part of autocannon that the load generator uses. */
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly method: 'POST' | 'GET';
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Sent in turn, instead of `body` to `url`. */
    readonly requests?: readonly { readonly method: 'POST' | 'GET'; readonly path: string }[];
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    /** Requests per second of all connections together. */
    readonly overallRate?: number;
    readonly setupClient?: (client: Client) => void;
  }

  interface Client {
    /** Names and values of the headers, alternating. */
    on(
      event: 'headers',
      listener: (head: { readonly statusCode: number; readonly headers: readonly string[] }) => void,
    ): void;
  }

  interface Result {
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
    readonly timeouts: number;
    readonly duration: number;
  }

  const autocannon: (options: Options) => Promise<Result>;
  export = autocannon;
}
