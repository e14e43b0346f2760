import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useKeptHref } from '../shared/use-address.js';

const pages: Readonly<Record<string, string>> = {
  h: '/',
  r: '/results',
  a: '/applications',
  e: '/events',
  t: '/traces',
  c: '/clusters',
  p: '/pipeline',
  k: '/control',
};
const secondKeyMs = 1_000;

/**
 * `g` and a letter goes to a page, `/` to the first filter, `j` and `k` through the rows, `[` and `]` to the previous and the
 * next of a list, `o` opens a row, `.` freezes the range or lets it go, `c` copies the page's call and `y` its address, `?`
 * shows them all. Nothing while one types.
 */
export function useShortcuts(showHelp: () => void): void {
  const [, navigate] = useLocation();
  const kept = useKeptHref();
  useEffect(() => {
    let goUntil = 0;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const page = event.timeStamp < goUntil ? pages[event.key] : undefined;
      goUntil = event.key === 'g' ? event.timeStamp + secondKeyMs : 0;
      if (page !== undefined) navigate(kept(page));
      else if (event.key === '/') focusFilter(event);
      else if (event.key === '[' || event.key === ']') stepInList(event.key === '[' ? 'prev' : 'next');
      else if (event.key === 'o') openRow();
      else if (event.key === '.' || event.key === 'c') pressFirst(event.key);
      else if (event.key === 'y') void copyAddress();
      else if (event.key === '?') showHelp();
      else if (event.key === 'j' || event.key === 'k') moveInRows(event.key === 'j' ? 1 : -1);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate, kept, showHelp]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog[open]') !== null;
}

function focusFilter(event: KeyboardEvent): void {
  // The filter of the page; otherwise the search of the bar.
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

/** Follows the link of the row that has the focus. */
function openRow(): void {
  const row = document.activeElement?.closest('main tbody tr');
  row?.querySelector<HTMLElement>('a[href]')?.click();
}

/** A page may have several such buttons: the first one is for the page as a whole. */
function pressFirst(key: string): void {
  document.querySelector<HTMLElement>(`main [data-shortcut="${key}"]:not(:disabled)`)?.click();
}

/** A browser may refuse it: the address bar has the address all the same. */
async function copyAddress(): Promise<void> {
  await navigator.clipboard.writeText(location.href).catch(() => undefined);
}

/** Moves the focus over the rows' own links: Enter opens the focused one. */
function moveInRows(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('main tbody a[href]')];
  const here = links.findIndex((link) => link === document.activeElement);
  links[Math.max(0, Math.min(links.length - 1, here + step))]?.focus();
}
