import type { Answer } from '../../api/client.js';

type Hop = Answer<'/api/v1/find/{id}'>['hops'][number];

export interface TimedHop {
  readonly hop: string;
  readonly at: string | null;
  readonly isFirst: boolean;
  /** Time since the previous step; null if one of the two times is unknown. */
  readonly afterMs: number | null;
  readonly place: string;
  readonly detail: string | null;
}

/** The hops with the time between them. */
export function hopsOf(hops: readonly Hop[]): readonly TimedHop[] {
  return hops.map(({ hop, at, topic, partition, offset, table, detail }, index) => {
    const before = hops[index - 1]?.at ?? null;
    return {
      ...{ hop, at, detail, isFirst: index === 0 },
      afterMs: at === null || before === null ? null : Date.parse(at) - Date.parse(before),
      place:
        table ?? (topic === null ? '' : [topic, partition, offset].filter((part) => part !== null).join('/')),
    };
  });
}
