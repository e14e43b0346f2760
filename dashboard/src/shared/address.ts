/** The parameters of an address for its range: an address that has one of these keeps none of another address. */
const ranges = ['last', 'from', 'to'];
/** Parameters that mean the same on every page. */
const shared = [...ranges, 'tz'];

/** An address within the dashboard with the range and the zone of the present page; its own take precedence. */
export function keptHref(href: string, search: string): string {
  const [path = '', own = ''] = href.split('?');
  const after = new URLSearchParams(own);
  const isOwn = (name: string): boolean =>
    ranges.includes(name) ? ranges.some((one) => after.has(one)) : after.has(name);
  const kept = [...new URLSearchParams(search)].filter(([name]) => shared.includes(name) && !isOwn(name));
  for (const [name, value] of kept) after.append(name, value);
  const text = after.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The parameter of a page that is not read again until the reader lets it. */
export const pausedName = 'paused';

/** The parameter of a list whose chart has the line of one row alone. */
export const lineName = 'line';

/** What is opened or drawn of a list, how times are written and a pause leave its rows as they are. */
const notOfRows = ['tz', 'operation', 'figure', lineName, pausedName];

/** The parameter of a paged list for the beginning of the present page. */
export const cursorName = 'cursor';

/**
 * The search with these values, of which empty ones are removed; undefined where nothing changes. A cursor is valid for
 * one filter and one range: a change of either leads back to the first page.
 */
export function changedSearch(search: string, values: Readonly<Record<string, string>>): string | undefined {
  const after = new URLSearchParams(search);
  const changed = Object.entries(values).filter(([name, value]) => (after.get(name) ?? '') !== value);
  if (changed.length === 0) return undefined;
  if (changed.some(([name]) => !notOfRows.includes(name))) after.delete(cursorName);
  for (const [name, value] of changed) {
    if (value === '') after.delete(name);
    else after.set(name, value);
  }
  return after.toString();
}
