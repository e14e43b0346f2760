import { useState } from 'react';
import type { Answer, ReadPath } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';

interface Arrival {
  /** Undefined until it is known. */
  readonly hasArrived: boolean | undefined;
  readonly href: string;
}

/** Whether anything of each kind has arrived within the last 30 days. */
export interface Arrivals {
  readonly results: Arrival;
  readonly events: Arrival;
  readonly traces: Arrival;
  readonly clusters: Arrival;
}

const range = { kind: 'last', minutes: 43_200 } as const;
const query = { limit: 1 };
const whileWaitingSeconds = 3;

export function useArrivals(): Arrivals {
  return {
    results: useArrival('/api/v1/results', ({ results }) => results.length, '/results'),
    events: useArrival('/api/v1/events', ({ metrics }) => metrics.length, '/events'),
    traces: useArrival('/api/v1/traces', ({ spans }) => spans.length, '/traces'),
    clusters: useArrival('/api/v1/clusters', ({ clusters }) => clusters.length, '/clusters'),
  };
}

/** Asks often while nothing has arrived, because somebody may wait for the first data; then no more. */
function useArrival<Path extends ReadPath>(
  path: Path,
  countOf: (answer: Answer<Path>) => number,
  href: string,
): Arrival {
  const [hasArrived, setArrived] = useState<boolean>();
  const bounds = path === '/api/v1/clusters' ? {} : { range };
  const { data } = useRead(path, {
    ...{ query, ...bounds },
    ...(hasArrived !== true && { everySeconds: whileWaitingSeconds }),
  });
  const found = hasRows(data, countOf);
  if (found !== undefined && found !== hasArrived) setArrived(found);
  return { hasArrived: found, href };
}

/** Undefined until there is an answer. */
function hasRows<Of>(answer: Of | undefined, countOf: (answer: Of) => number): boolean | undefined {
  return answer === undefined ? undefined : countOf(answer) > 0;
}
