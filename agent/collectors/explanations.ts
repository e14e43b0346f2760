import type { AllocationExplanation } from '../../schemas/snapshots/shard-section.js';
import { refusalOf } from '../integration/client/refusal.js';
import { failureOf, failureOfThrown, type CallFailure } from './call-failure.js';
import { SearchCallError, type SearchAnswer } from './client-port.js';
import type { AskedGroup, ClusterMemory, Found } from './cluster-memory.js';
import { parseExplanation } from './parse/explanation.js';
import type { Collection } from './section.js';
import { dueOf, groupsOf, isStill, listedTimestamp, type Group } from './unassigned-groups.js';

/** How many groups are asked about at once; the rest wait for the next time. */
const mostAsked = 10;
/** How many of them may fail. */
const mostFailed = 3;
/** How long an answer is valid before it is asked for again. */
export const keptMs = 300_000;
/** How long it is kept while other groups have to be asked about first. */
const longestKeptMs = 1_800_000;
const goEveryMs = 60_000;

/**
 * Updates what is known about the groups of unassigned shards. Asks about at most ten: first those never
 * asked about, then those not asked about for the longest time, and none twice in five minutes. Skips a group
 * that fails. Asks nothing unless something is known to be unassigned: without a master, the cluster would
 * look for one for 30 s, and 7.x and 8.x refuse `master_timeout` here. Returns how many groups there are to
 * explain. Rejects with failures that concern more than one group, and if no group could be explained.
 */
export async function explainUnassigned(collection: Collection, unassigned: number | null): Promise<number> {
  const { memory, now } = collection;
  const { askedGroups } = memory;
  const groups = unassigned === 0 ? [] : groupsOf(memory.unassignedShards, unassigned);
  forgetOthers(memory, groups);
  const due = dueOf(groups, askedGroups, now() - keptMs);
  memory.explainFails = true;
  try {
    if (unassigned !== null) await ask(collection, due.slice(0, mostAsked));
  } finally {
    const longestMs = Math.min(longestKeptMs, keptMs + Math.floor(due.length / mostAsked) * goEveryMs);
    outdate(memory, now() - longestMs);
  }
  const failure = failuresIn(memory).at(-1);
  if (failure !== undefined && explanationsIn(memory).length === 0) throw failure;
  memory.explainFails = false;
  return groups.length - [...askedGroups.values()].filter(({ found }) => found === 'nothing').length;
}

export function explanationsIn({ askedGroups }: ClusterMemory): readonly AllocationExplanation[] {
  return [...askedGroups.values()].flatMap(({ found }) =>
    typeof found === 'object' && 'explanation' in found ? [found.explanation] : [],
  );
}

/** The failures of the groups that the cluster could not explain. */
export function failuresIn({ askedGroups }: ClusterMemory): readonly CallFailure[] {
  return [...askedGroups.values()].flatMap(({ found }) =>
    typeof found === 'object' && 'failure' in found ? [found.failure] : [],
  );
}

/** Forgets shards that are no longer unassigned. */
function forgetOthers(memory: ClusterMemory, groups: readonly Group[]): void {
  const current = new Map(groups.map((group) => [group.key, group]));
  for (const [key, asked] of [...memory.askedGroups]) {
    const group = current.get(key);
    if (group !== undefined && isStill(group, asked)) continue;
    if (wordsOf(asked) !== null) memory.explanationsChanged = true;
    memory.askedGroups.delete(key);
  }
}

/** Of outdated answers, keeps only when they were asked for, so that other groups still come first. */
function outdate(memory: ClusterMemory, before: number): void {
  for (const [key, asked] of memory.askedGroups) {
    if (asked.askedAt > before) continue;
    if (wordsOf(asked) !== null) memory.explanationsChanged = true;
    memory.askedGroups.set(key, { ...asked, found: 'outdated' });
  }
}

async function ask(collection: Collection, groups: readonly Group[]): Promise<void> {
  let failed = 0;
  for (const group of groups) {
    const found = await findingOf(collection, group);
    if (found === 'nothing' && group.shard === undefined) continue;
    remember(collection, group, found);
    if (typeof found === 'object' && 'failure' in found) failed += 1;
    if (failed === mostFailed) return;
  }
}

function remember({ memory, now }: Collection, group: Group, found: Found): void {
  const { key, shard } = group;
  const explained = typeof found === 'object' && 'explanation' in found ? found.explanation : null;
  const unassignedSince = [listedTimestamp(group), explained?.unassigned_at ?? null].filter(
    (since) => since !== null,
  );
  const asked = { shard: shard?.shard ?? null, unassignedSince, askedAt: now(), found };
  if (wordsOf(asked) !== wordsOf(memory.askedGroups.get(key))) memory.explanationsChanged = true;
  memory.askedGroups.set(key, asked);
}

/** The explanation of a group, without its timestamp. */
function wordsOf(asked: AskedGroup | undefined): string | null {
  if (typeof asked?.found !== 'object') return null;
  const { found } = asked;
  return 'failure' in found
    ? found.failure.reason
    : JSON.stringify({ ...found.explanation, explained_at: null });
}

async function findingOf(collection: Collection, group: Group): Promise<Found> {
  const answer = await answerOf(collection, group);
  const failure = hasNothingToExplain(answer) ? undefined : failureOf(answer);
  if (failure !== undefined) {
    if (failure.kind === 'broken' && answer.status !== 403) return { failure };
    throw failure;
  }
  const explanation = parseExplanation(answer.body, group.size, collection.now());
  return explanation?.current_state === 'unassigned' ? { explanation } : 'nothing';
}

/**
 * A call without an answer ends this round. If the question itself might be the cause, the failure is
 * recorded, and the group is skipped like others that fail.
 */
async function answerOf(collection: Collection, group: Group): Promise<SearchAnswer> {
  try {
    return await collection.explain(group.shard);
  } catch (thrown) {
    if (thrown instanceof SearchCallError && /^(timeout|too_large|broken_answer)$/.test(thrown.failure))
      remember(collection, group, { failure: failureOfThrown(thrown) });
    throw thrown;
  }
}

/** The shard was assigned, or its index deleted, after it was listed. A proxy's 404 does not count. */
function hasNothingToExplain({ status, body }: SearchAnswer): boolean {
  const type = refusalOf(body).type ?? '';
  return (
    (status === 400 && type === 'illegal_argument_exception') ||
    (status === 404 && /^(index|shard)_not_found_exception$/.test(type))
  );
}
