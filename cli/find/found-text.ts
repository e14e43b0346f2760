import { table } from '../table.js';
import type { Found, Hop } from './found.js';

/** The result as text for people: the outcome, then a line for each hop. */
export function foundText({
  id,
  kind,
  outcome,
  detail,
  not_seen_since: since,
  complete,
  hops,
}: Found): string {
  const head = `${id} (${kind}): ${outcome}. ${detail}`;
  const notes = [
    ...(since === null ? [] : [`Everything is kept since ${since}.`]),
    ...(complete ? [] : ['Not everything could be searched within the time: ask again, or later.']),
  ];
  return [head, ...notes, ...(hops.length === 0 ? [] : ['', table(hops.map(rowOf))])].join('\n');
}

function rowOf({ hop, at, topic, partition, offset, table: stored, detail }: Hop): readonly string[] {
  const where = topic === null ? (stored ?? '') : `${topic}/${partition ?? '?'} at ${offset ?? '?'}`;
  return [`  ${at ?? 'at an unknown time'}`, hop, where, detail ?? ''];
}
