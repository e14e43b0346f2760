import type { Status } from '../../shared/status.js';

/** Something that somebody should look at. */
export interface Concern {
  readonly status: Status;
  readonly word: string;
  readonly what: string;
  readonly reason: string;
  readonly href?: string;
}

interface Cluster {
  readonly cluster_uuid: string;
  readonly cluster_name: string | null;
  readonly status: 'green' | 'yellow' | 'red' | null;
  readonly score: number | null;
  readonly reason: string | null;
}

interface Scorer {
  readonly title: string;
  readonly available: boolean;
  readonly unavailable: string | null;
}

const ranks: Readonly<Record<Status, number>> = { bad: 0, warn: 1, unknown: 2, ok: 3 };

/** What is not as it should be, worst first. */
export function attentionOf(clusters: readonly Cluster[], scorers: readonly Scorer[]): readonly Concern[] {
  const concerns = [
    ...clusters.flatMap((cluster) => concernOf(cluster) ?? []),
    ...scorers
      .filter(({ available }) => !available)
      .map(({ title, unavailable }): Concern => {
        const reason = unavailable ?? 'The processors give no reason.';
        return { status: 'unknown', word: 'not computed', what: `The metric ${title}`, reason };
      }),
  ];
  return concerns.sort((one, other) => ranks[one.status] - ranks[other.status]);
}

function concernOf({ cluster_uuid, cluster_name, status, score, reason }: Cluster): Concern | undefined {
  const of = { what: `Cluster ${cluster_name ?? cluster_uuid}`, href: `/clusters/${cluster_uuid}` };
  if (status === null)
    return { ...of, status: 'unknown', word: 'unknown', reason: reason ?? 'It has no score.' };
  if (status === 'green' && score === 100) return undefined;
  const why = `Its score is ${score ?? 'unknown'} of 100: its page has each reason, and what to do.`;
  return { ...of, status: status === 'red' ? 'bad' : 'warn', word: status, reason: why };
}
