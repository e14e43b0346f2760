import type { Answer } from '../../api/client.js';
import { evaluateAgent, type Agent } from '../../shared/agent-status.js';
import { formatMillis, formatNumber } from '../../shared/format.js';
import { evaluateStage, lagText, type Stage } from '../../shared/stage-status.js';
import type { Status } from '../../shared/status.js';
import { isOfDisk, whyOf, worstOf } from '../clusters/why.js';

/** Something that needs attention, and where to start. */
export interface Concern {
  readonly status: Status;
  readonly word: string;
  readonly what: string;
  readonly reason: string;
  readonly next: { readonly text: string; readonly href: string };
}

type Cluster = Pick<
  Answer<'/api/v1/clusters'>['clusters'][number],
  'cluster_uuid' | 'cluster_name' | 'status' | 'score' | 'stale' | 'reason' | 'deductions'
>;
type Scorer = Pick<
  Answer<'/api/v1/monitoring/metrics/scorers'>['scorers'][number],
  'title' | 'available' | 'unavailable'
>;
type Key = Pick<Answer<'/api/v1/keys'>['keys'][number], 'name' | 'state' | 'expires_at'>;
type Letters = Pick<Answer<'/api/v1/dead-letters'>['dead_letters'][number], 'stage' | 'code' | 'open'>;

/** Everything as last read; a read that failed the last time is a separate concern. */
export interface Situation {
  readonly clusters?: readonly Cluster[];
  readonly scorers?: readonly Scorer[];
  readonly stages?: readonly Stage[];
  readonly agents?: readonly Agent[];
  /** Prompts of the last day that could not be scored. */
  readonly failed?: { readonly count: number; readonly isAtLeast: boolean; readonly error: string | null };
  readonly letters?: readonly Letters[];
  readonly keys?: readonly Key[];
  /** What could not be read, and why. */
  readonly unread: readonly { readonly what: string; readonly reason: string; readonly href: string }[];
}

const ranks: Readonly<Record<Status, number>> = { bad: 0, warn: 1, unknown: 2, ok: 3 };
const closeMs = 14 * 86_400_000;

/** The concerns, worst first. */
export function attentionOf(situation: Situation, nowMs: number): readonly Concern[] {
  const {
    clusters = [],
    scorers = [],
    stages = [],
    agents = [],
    failed,
    letters = [],
    keys = [],
    unread,
  } = situation;
  const concerns = [
    ...clusters.flatMap((cluster) => ofCluster(cluster) ?? []),
    ...clusters.flatMap((cluster) => ofDisks(cluster) ?? []),
    ...stages.flatMap((stage) => ofStage(stage) ?? []),
    ...agents.flatMap((agent) => ofAgent(agent) ?? []),
    ...(failed === undefined || failed.count === 0 ? [] : [ofFailed(failed)]),
    ...letters.filter(({ open }) => open > 0).map(ofLetters),
    ...keys.flatMap((key) => ofKey(key, nowMs) ?? []),
    ...unread.map(({ what, reason, href }): Concern => {
      return { status: 'unknown', word: 'unknown', what, reason, next: { text: 'Look there', href } };
    }),
    ...ofScorers(scorers.filter(({ available }) => !available)),
  ];
  return concerns.sort((one, other) => ranks[one.status] - ranks[other.status]);
}

function ofCluster(cluster: Cluster): Concern | undefined {
  const { cluster_uuid: uuid, cluster_name: name, status, score, stale, deductions } = cluster;
  const isOfDisksAlone = deductions.length > 0 && deductions.every(({ code }) => isOfDisk(code));
  if (status === 'green' && (score === 100 || isOfDisksAlone) && !stale) return undefined;
  const next = { text: 'Each reason, and what to do', href: `/clusters/${uuid}` };
  const of = { what: `Cluster ${name ?? uuid}`, next };
  if (status === null || stale)
    return {
      ...of,
      status: 'unknown',
      word: 'unknown',
      reason: whyOf(cluster) || 'It has no current score.',
    };
  // Full disks are a separate concern, so that nothing worse hides them.
  const worst = worstOf(deductions.filter(({ code }) => !isOfDisk(code)));
  const why = worst === undefined ? '' : ` ${worst.reason}`;
  return {
    ...of,
    status: status === 'red' ? 'bad' : 'warn',
    // A warning with the word "green" would contradict itself.
    word: status === 'green' ? `score ${score ?? 'unknown'}` : status,
    reason: `Its score is ${score ?? 'unknown'} of 100.${why}`,
  };
}

/** Disks that fill up make a cluster read-only, whatever else is wrong with it. */
function ofDisks({
  cluster_uuid: uuid,
  cluster_name: name,
  stale,
  deductions,
}: Cluster): Concern | undefined {
  const worst = worstOf(deductions.filter(({ code }) => isOfDisk(code)));
  if (worst === undefined || stale) return undefined;
  const isFlooded = worst.code === 'disk_flood_stage';
  return {
    ...{ status: isFlooded ? 'bad' : 'warn', word: isFlooded ? 'disk full' : 'disk fills' },
    ...{ what: `Disks of cluster ${name ?? uuid}`, reason: worst.reason },
    next: { text: 'Disks of its nodes', href: `/clusters/${uuid}/nodes?figure=fs_used_ratio` },
  };
}

function ofStage(stage: Stage): Concern | undefined {
  const { status, word } = evaluateStage(stage);
  if (status === 'ok') return undefined;
  const waits = stage.waits_for === null ? '' : ` It waits for ${stage.waits_for.replace(/\.$/, '')}.`;
  const unknown = stage.unknown === null || status !== 'unknown' ? '' : ` ${stage.unknown}`;
  return {
    ...{ status, word, what: `Stage ${stage.stage}` },
    reason: `${stage.topic}: ${lagText(stage)}.${waits}${unknown}`,
    next: { text: 'See the pipeline', href: '/pipeline' },
  };
}

/** An agent that was stopped gracefully needs no attention. */
function ofAgent(agent: Agent): Concern | undefined {
  const { status, word, reason } = evaluateAgent(agent);
  if (reason === null || agent.state === 'stopped') return undefined;
  return {
    ...{ status, word, reason, what: `Agent on ${agent.host}` },
    next: { text: 'See the agents', href: '/control/agents' },
  };
}

function ofFailed({ count, isAtLeast, error }: NonNullable<Situation['failed']>): Concern {
  return {
    ...{ status: 'warn', word: 'failed', what: 'Prompts that could not be scored' },
    reason: `${isAtLeast ? 'At least ' : ''}${formatNumber(count, 0)} in the last day${error === null ? '.' : `, the newest with: ${error}`}`,
    next: { text: 'See them', href: '/results?outcome=failed&last=24h' },
  };
}

function ofLetters({ stage, code, open }: Letters): Concern {
  return {
    ...{ status: 'warn', word: 'dead letters', what: `Dead letters of ${stage}` },
    reason: `Records that could not be processed (${code}): ${formatNumber(open, 0)}. Nobody has decided about them.`,
    next: { text: 'See why, and send them back', href: '/pipeline/dead-letters' },
  };
}

function ofKey({ name, state, expires_at: expiry }: Key, nowMs: number): Concern | undefined {
  if (state === 'revoked' || expiry === null) return undefined;
  const left = Date.parse(expiry) - nowMs;
  if (Math.abs(left) > closeMs) return undefined;
  const hasEnded = left <= 0;
  const time = formatMillis(Math.abs(left));
  const when = hasEnded ? `has been refused for ${time}` : `is refused in ${time}`;
  return {
    ...{ status: hasEnded ? 'bad' : 'warn', word: hasEnded ? 'expired' : 'expires' },
    ...{ what: `API key “${name}”`, next: { text: 'Make a key', href: '/control' } },
    reason: `It ${when}. Make another one, and give it to what uses this one.`,
  };
}

/** Metrics that are not computed for the same reason are one concern. */
function ofScorers(scorers: readonly Scorer[]): readonly Concern[] {
  const byReason = new Map<string, string[]>();
  for (const { title, unavailable } of scorers) {
    const reason = unavailable ?? 'The processors give no reason.';
    byReason.set(reason, [...(byReason.get(reason) ?? []), title]);
  }
  return [...byReason].map(([reason, titles]) => ({
    ...{ status: 'unknown', word: 'not computed', reason },
    what: `${titles.length === 1 ? 'The metric' : 'The metrics'} ${titles.join(', ')}`,
    next: { text: 'What each metric needs', href: '/control/scorers' },
  }));
}
