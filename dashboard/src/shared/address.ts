/** The parameters for the range. An address that has one of them keeps none of the current page's. */
const ranges = ['last', 'from', 'to'];
/** Parameters that mean the same on every page. */
const shared = [...ranges, 'tz'];

/** An address within the dashboard, with the current page's range and zone unless it has its own. */
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

/** The parameter of a paused page, which is not refreshed. */
export const pausedName = 'paused';

/** The parameter of a list whose chart draws only the line of one row. */
export const lineName = 'line';

/** Parameters that do not change the rows of a list. */
const notOfRows = ['tz', 'operation', 'figure', lineName, pausedName];

/** The parameter for the start of a paged list's current page. */
export const cursorName = 'cursor';

/**
 * The search with these values; empty values are removed. Undefined if nothing changes. A cursor is valid for
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
