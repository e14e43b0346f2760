import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useKeptHref } from '../shared/use-address.js';
import { areas } from './areas.js';

const pages: ReadonlyMap<string, string> = new Map(areas.map(({ key, path }) => [key, path]));
const secondKeyMs = 1_000;

/**
 * `g` and a letter goes to a page, `/` to the first filter, `j` and `k` move through the rows, `[` and `]` go
 * to the previous and next entry of a list, `o` opens a row, `.` freezes the range, or pauses a page that has
 * none, `c` copies the page's call and `y` its address, and `?` shows all shortcuts. None of them works while
 * a person types.
 */
export function useShortcuts(showHelp: () => void, say: (what: string) => void): void {
  const [, navigate] = useLocation();
  const kept = useKeptHref();
  useEffect(() => {
    let goUntil = 0;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const page = event.timeStamp < goUntil ? pages.get(event.key) : undefined;
      goUntil = event.key === 'g' ? event.timeStamp + secondKeyMs : 0;
      if (page !== undefined) navigate(kept(page));
      else if (event.key === '/') focusFilter(event);
      else if (event.key === '[' || event.key === ']') stepInList(event.key === '[' ? 'prev' : 'next');
      else if (event.key === 'o') openRow();
      else if (event.key === '.') pressFirst(event.key);
      else if (event.key === 'c' && !pressFirst(event.key))
        say('Nothing on this page can be copied as curl.');
      else if (event.key === 'y') void copyAddress().then(say);
      else if (event.key === '?') showHelp();
      else if (event.key === 'j' || event.key === 'k') moveInRows(event.key === 'j' ? 1 : -1);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate, kept, showHelp, say]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog[open]') !== null;
}

function focusFilter(event: KeyboardEvent): void {
  // The page's filter if it has one, otherwise the search in the bar.
  const filter =
    document.querySelector<HTMLElement>('main input[type="search"]') ??
    document.querySelector<HTMLElement>('header input[type="search"]');
  if (filter === null) return;
  event.preventDefault();
  filter.focus();
}

function stepInList(rel: 'prev' | 'next'): void {
  document.querySelector<HTMLElement>(`main a[rel="${rel}"]`)?.click();
}

/** A row of a list. A chart's legend is also a table, but has no caption. */
const listRow = 'main caption ~ tbody > tr';

/** What opens a row: a link to its page, or a folded part. */
const opensRow = 'a[href], summary';

function openRow(): void {
  const row = document.activeElement?.closest(listRow);
  row?.querySelector<HTMLElement>(opensRow)?.click();
}

/**
 * Presses the button for a key. If a page has several, the first one is for the whole page; if it has none,
 * the bar's button is pressed. Returns whether there is one.
 */
function pressFirst(key: string): boolean {
  const shortcut = `[data-shortcut="${key}"]:not(:disabled)`;
  const button =
    document.querySelector<HTMLElement>(`main ${shortcut}`) ??
    document.querySelector<HTMLElement>(`header ${shortcut}`);
  button?.click();
  return button !== null;
}

/** Returns a message. The browser can refuse, and insecure pages have no clipboard. */
async function copyAddress(): Promise<string> {
  try {
    await navigator.clipboard.writeText(location.href);
    return 'The address is copied.';
  } catch {
    return 'The browser does not let the page copy: copy the address from its bar.';
  }
}

/** Moves the focus to another row: to what opens it, so that Enter works, or else to the row itself. */
function moveInRows(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>(listRow)].filter((row) => row.checkVisibility());
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[Math.max(0, Math.min(rows.length - 1, here + step))];
  if (row === undefined) return;
  row.tabIndex = -1;
  (row.querySelector<HTMLElement>(opensRow) ?? row).focus();
}
