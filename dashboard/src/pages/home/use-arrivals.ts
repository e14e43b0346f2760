import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';

interface Arrival {
  /** Undefined until known. */
  readonly hasArrived: boolean | undefined;
  readonly href: string;
}

/** Whether anything of each kind has ever arrived. */
export interface Arrivals {
  readonly results: Arrival;
  readonly events: Arrival;
  readonly traces: Arrival;
}

const path = '/api/v1/newest';
type Newest = Answer<typeof path>;

/** While the first calls are shown, the person might be waiting for their data. */
const whileAwaitedSeconds = 3;
const otherwiseSeconds = 60;

/** Polls until something of each kind has arrived. */
export function useArrivals(areAwaited: boolean): Arrivals {
  const { data } = useRead(path, {
    everySeconds: (last) =>
      last !== undefined && isComplete(last)
        ? undefined
        : areAwaited
          ? whileAwaitedSeconds
          : otherwiseSeconds,
  });
  const arrivalOf = (kind: keyof Newest, href: string): Arrival => ({
    hasArrived: data === undefined ? undefined : data[kind] !== null,
    href,
  });
  return {
    results: arrivalOf('result_at', '/results'),
    events: arrivalOf('event_at', '/events'),
    traces: arrivalOf('span_at', '/traces'),
  };
}

const isComplete = ({ result_at, event_at, span_at }: Newest): boolean =>
  [result_at, event_at, span_at].every((at) => at !== null);
