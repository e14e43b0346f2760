import type { Progress } from '../../stack/server.js';

/** A component that is stopped when `npm start` ends. */
export interface Component {
  readonly name: string;
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

export interface Shutdown {
  /** Aborted once a stop was requested. */
  readonly signal: AbortSignal;
  /** Stopped together, before all components that were added earlier. */
  add(...components: readonly Component[]): void;
  request(why: string): void;
  /** Ends all components, the last added first. */
  run(): Promise<void>;
  /** Kills all components at once; no data is lost. */
  kill(): Promise<void>;
}

export function createShutdown(say: Progress): Shutdown {
  const asked = new AbortController();
  const groups: (readonly Component[])[] = [];
  return {
    signal: asked.signal,
    add: (...components) => void groups.push(components),
    request: (why) => asked.abort(why),
    async run() {
      for (const group of groups.toReversed()) {
        say(`stopping ${group.map((component) => component.name).join(', ')}`);
        await Promise.allSettled(group.map((component) => component.stop()));
      }
    },
    async kill() {
      await Promise.allSettled(groups.flat().map((component) => component.kill9()));
    },
  };
}

/** A terminal sends Ctrl-C to npm too, and npm forwards it: two signals within this time count as one. */
const sameSignalMs = 700;

/**
 * The first SIGINT, SIGTERM or SIGHUP requests a stop; a second one kills. Returns the function that removes the
 * listeners.
 */
export function stopOnSignals(shutdown: Shutdown, say: Progress): () => void {
  let first: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = Date.now();
      say(`${signal}: stopping (a second one kills)`);
      shutdown.request(signal);
    } else if (Date.now() - first > sameSignalMs) {
      say(`${signal} again: killing`);
      void shutdown.kill().finally(() => process.exit(130));
    }
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
