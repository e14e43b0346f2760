import type { EventKind } from '../../../schemas/cluster-rows/event-kinds.js';

/** One thing that happened to a cluster. */
export interface TimelineEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly what: EventKind;
  /** The name of the rule or the node; null if the event is about the whole cluster. */
  readonly name: string | null;
  /** The values before and after: a colour, or a master. */
  readonly before: string | null;
  readonly after: string | null;
  /** The reason of a rule that started to apply. */
  readonly reason: string | null;
  /** What could not be evaluated then. A rule in this list might still apply although it is not found. */
  readonly not_measured: readonly { readonly what: string; readonly reason: string }[];
  /** For a gap: how long there was no score. */
  readonly silent_seconds: number | null;
}

/** A score that differs from the one before it. */
export interface ScoreChange {
  readonly at: number;
  readonly before: number;
  readonly status: string | null;
  readonly statusBefore: string | null;
  readonly codes: readonly string[];
  readonly codesBefore: readonly string[];
  readonly reasons: readonly string[];
  readonly missing: readonly string[];
  readonly missingReasons: readonly string[];
}

/** Scores come once a minute. If two are further apart than this, one is missing. */
export const longestMs = 150_000;

const nothing = {
  name: null,
  before: null,
  after: null,
  reason: null,
  not_measured: [],
  silent_seconds: null,
};

/**
 * How one score differs from the one before it, latest event first. If the two are far apart, the gap between
 * them is an event too: nobody knows what happened in it.
 */
export function eventsOfScore(change: ScoreChange): readonly TimelineEvent[] {
  const { at, before, status, statusBefore, codes, codesBefore, reasons } = change;
  const apart = at - before;
  const missing = change.missing.map((what, index) => ({ what, reason: change.missingReasons[index] ?? '' }));
  return [
    ...(status === statusBefore
      ? []
      : [{ ...nothing, at, what: 'status_changed' as const, before: statusBefore, after: status }]),
    ...codes.flatMap((code, index) =>
      codesBefore.includes(code)
        ? []
        : [{ ...nothing, at, what: 'rule_began' as const, name: code, reason: reasons[index] ?? null }],
    ),
    ...codesBefore
      .filter((code) => !codes.includes(code))
      // A rule that can't be evaluated deducts nothing either, but what it found might still be the case.
      .map((code) => ({
        ...{ ...nothing, at, name: code, not_measured: missing },
        what: missing.length === 0 ? ('rule_ended' as const) : ('rule_not_seen' as const),
      })),
    ...(apart > longestMs
      ? [{ ...nothing, at, what: 'no_score' as const, silent_seconds: Math.round(apart / 1_000) }]
      : []),
  ];
}

/** How the nodes of one snapshot differ from those of the one before it. */
export interface NodesChange {
  readonly at: number;
  readonly joined: readonly string[];
  readonly left: readonly string[];
  readonly restarted: readonly string[];
}

export const eventsOfNodes = ({ at, joined, left, restarted }: NodesChange): readonly TimelineEvent[] => {
  const of = (what: EventKind, names: readonly string[]): readonly TimelineEvent[] =>
    names.map((name) => ({ ...nothing, at, what, name }));
  return [...of('node_left', left), ...of('node_joined', joined), ...of('node_restarted', restarted)];
};

export const eventOfMaster = (at: number, before: string | null, after: string | null): TimelineEvent => ({
  ...{ ...nothing, at, what: 'master_changed', before, after },
});
