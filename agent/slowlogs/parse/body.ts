import { nothingSaid, type Kind, type RawFields } from './logged-operation.js';

/** The labels of a body; any other word before a bracket belongs to the value of the label before it. */
const labels = [
  'took',
  'took_millis',
  'total_hits',
  'types',
  'type',
  'stats',
  'search_type',
  'total_shards',
] as const;

/** What follows the first labels. */
interface Rest {
  readonly head: string;
  readonly id: string | null;
  readonly routing: string | null;
  readonly source: string | null;
}

/**
 * Parses `[index][0] took[1ms], took_millis[1], …, source[…]`, the body of a plain entry; 7.0 also wrote it
 * into its JSON entries. If the middle of the text is missing, `end` is its end.
 */
export function readBody(body: string, kind: Kind, end: string | null = null): RawFields {
  const start = body.indexOf(' took[');
  if (start === -1) return nothingSaid;
  const said = body.slice(start);
  const { head, ...rest } = kind === 'search' ? searchIn(said, end) : indexingIn(said, end);
  const values = labelledValues(head);
  return {
    ...nothingSaid,
    target: targetBefore(body.slice(0, start)),
    took: values.get('took') ?? null,
    tookMillis: values.get('took_millis') ?? null,
    totalHits: values.get('total_hits') ?? null,
    searchType: values.get('search_type') ?? null,
    totalShards: values.get('total_shards') ?? null,
    stats: listed(values.get('stats')),
    ...rest,
  };
}

/** The source of a search ends with the text, except for the `id[…]` that follows it from 7.x on. */
function searchIn(text: string, end: string | null): Rest {
  const [head, behind] = parted(text, beforeSource);
  if (behind === null) return { head, id: null, routing: null, source: null };
  const last = end ?? behind;
  const idAt = last.lastIndexOf('], id[');
  const id = idAt === -1 ? null : withoutBracket(last.slice(idAt + '], id['.length));
  if (end !== null) return { head, id, routing: null, source: behind };
  return { head, id, routing: null, source: id === null ? withoutBracket(behind) : behind.slice(0, idAt) };
}

/**
 * For an indexing operation, `id[…], routing[…], source[…]` come last, in this order. The document and its id
 * can contain anything, so the first of each label after the one before it counts.
 */
function indexingIn(text: string, end: string | null): Rest {
  const [head, behindId] = parted(text, /, id\[/);
  const [id, behindRouting] = parted(behindId ?? '', /\], routing\[/);
  const [routing, source] = parted(behindRouting ?? '', beforeSource);
  return {
    head,
    id: behindId === null ? null : behindRouting === null ? withoutBracket(id) : id,
    routing: behindRouting === null ? null : source === null ? withoutBracket(routing) : routing,
    source: source === null || end !== null ? source : withoutBracket(source),
  };
}

const beforeSource = /\] ?, source\[/;

/** The text before the first mark, and the text after it; null if there is no mark. */
function parted(text: string, mark: RegExp): readonly [string, string | null] {
  const found = mark.exec(text);
  return found === null
    ? [text, null]
    : [text.slice(0, found.index), text.slice(found.index + found[0].length)];
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

/**
 * A value without the bracket that ends it, and without the commas and blanks after that. A value without a
 * bracket was cut off: the layouts of 6.x end a text after 10,000 characters (`%.-10000m`).
 */
function withoutBracket(text: string): string {
  let end = text.length;
  while (end > 0 && ' ,\r\n'.includes(text.charAt(end - 1))) end -= 1;
  return text.endsWith(']', end) ? text.slice(0, end - 1) : text;
}

/** The last `[index][shard]` or `[index/uuid]` before the labels, with or without the node before it. */
function targetBefore(text: string): string | null {
  return /\[[^\s[\]]{1,300}\](?:\[\d{1,9}\])?$/.exec(text.trimEnd().slice(-700))?.[0] ?? null;
}

/** `[a, b]`, as older versions write lists. */
export function listed(text: string | undefined): string[] {
  const inner = (text ?? '').replace(/^\[|\]$/g, '');
  return inner
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .slice(0, 20);
}
