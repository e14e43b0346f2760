/** Why nothing can be derived from the last snapshot; stored in the columns `gap` and `growth_gap`. */
export type Gap =
  | 'first snapshot'
  | 'restarted'
  | 'recreated'
  | 'shards moved or a node restarted'
  | 'incarnation unknown'
  | 'counters were set back'
  | 'primaries missing'
  | 'nodes or shards came or went'
  | 'nodes did not answer'
  | 'not measured'
  | 'clock did not advance';

/** The time between two snapshots of one incarnation, or why there is none. */
export type Interval = { readonly seconds: number } | { readonly gap: Gap };

/** Converts milliseconds to an interval. If a clock stood still or was set back, there is none. */
export function intervalOf(fromMs: number, toMs: number): Interval {
  return toMs > fromMs ? { seconds: (toMs - fromMs) / 1_000 } : { gap: 'clock did not advance' };
}
