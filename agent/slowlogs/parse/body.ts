import { nothingSaid, type RawFields } from './logged-operation.js';

/** Every label that a body has had; anything else before a bracket belongs to the value of the label before it. */
const labels = [
  'took',
  'took_millis',
  'total_hits',
  'types',
  'type',
  'stats',
  'search_type',
  'total_shards',
  'id',
  'routing',
  'source',
] as const;

/**
 * Reads `[index][0] took[1ms], took_millis[1], …, source[…]`, the body of a plain entry, which 7.0 wrote into its JSON
 * entries as well. `source` ends with the text, but for the `id[…]` of a search that stands behind it from 7.x on. Where
 * its middle is missing, `end` is the end of the text.
 */
export function readBody(body: string, end: string | null = null): RawFields {
  const start = body.indexOf(' took[');
  if (start === -1) return nothingSaid;
  const sourceAt = body.indexOf('source[', start);
  const head = sourceAt === -1 ? body.slice(start) : body.slice(start, sourceAt);
  const values = labelledValues(head);
  const tail = sourceAt === -1 ? null : sourceAndId(body.slice(sourceAt + 'source['.length), end);
  return {
    ...nothingSaid,
    target: targetBefore(body.slice(0, start)),
    took: values.get('took') ?? null,
    tookMillis: values.get('took_millis') ?? null,
    totalHits: values.get('total_hits') ?? null,
    searchType: values.get('search_type') ?? null,
    totalShards: values.get('total_shards') ?? null,
    stats: listed(values.get('stats')),
    id: tail?.id ?? values.get('id') ?? null,
    routing: values.get('routing') ?? null,
    source: tail?.source ?? null,
  };
}

function labelledValues(text: string): ReadonlyMap<string, string> {
  const starts = [...text.matchAll(/(?:^|,) {0,2}([a-z_]{2,12})\[/g)].filter(({ 1: label = '' }) =>
    (labels as readonly string[]).includes(label),
  );
  return new Map(
    starts.map(({ index, 0: found, 1: label = '' }, position) => {
      const value = text.slice(index + found.length, starts[position + 1]?.index);
      return [label, withoutBracket(value)];
    }),
  );
}

/** A value with the bracket, commas and blanks behind it taken off. */
function withoutBracket(text: string): string {
  const end = text.lastIndexOf(']');
  return end === -1 ? text : text.slice(0, end);
}

function sourceAndId(text: string, end: string | null): { source: string; id: string | null } {
  if (end !== null) return { source: text, id: sourceAndId(end, null).id };
  const idAt = text.lastIndexOf('], id[');
  if (idAt === -1) return { source: withoutBracket(text), id: null };
  return { source: text.slice(0, idAt), id: withoutBracket(text.slice(idAt + '], id['.length)) };
}

/** The last `[index][shard]` or `[index/uuid]` before the labels; the node stands before it, or does not. */
function targetBefore(text: string): string | null {
  return /\[[^\s[\]]{1,300}\](?:\[\d{1,9}\])?$/.exec(text.trimEnd().slice(-700))?.[0] ?? null;
}

/** `[a, b]` as older versions write lists. */
export function listed(text: string | undefined): string[] {
  const inner = (text ?? '').replace(/^\[|\]$/g, '');
  return inner
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .slice(0, 20);
}
