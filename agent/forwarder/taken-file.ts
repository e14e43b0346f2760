import { appendFile, readFile, rm } from 'node:fs/promises';
import { itemOfEntry } from './quarantine.js';

/** A quarantine file that is being sent again, under an id of its own. */
export interface TakenFile {
  readonly path: string;
  readonly id: string;
}

/** A range of items of a file, by their numbers: they are sent together. */
export interface ItemRange {
  readonly from: number;
  readonly to: number;
}

export interface TakenContents {
  /** In order; an item that a crash has put into quarantine twice is listed once. */
  readonly items: readonly string[];
  /** What is left of entries that crashes cut short. */
  readonly unreadable: readonly string[];
}

export async function readTaken({ path }: TakenFile): Promise<TakenContents> {
  const items: string[] = [];
  const unreadable: string[] = [];
  const seen = new Set<string>();
  for (const entry of (await readFile(path, 'utf8')).split('\n')) {
    if (entry === '') continue;
    const item = itemOfEntry(entry);
    if (item === undefined) unreadable.push(entry);
    else if (item.identity === undefined || !seen.has(item.identity)) items.push(item.line);
    if (item?.identity !== undefined) seen.add(item.identity);
  }
  return { items, unreadable };
}

/**
 * Records the range before it is sent. Everything before the range is settled, and a run after a crash sends
 * the same range again.
 */
export async function recordRange({ path }: TakenFile, { from, to }: ItemRange): Promise<void> {
  // On a line of its own, whatever a crash has left of the line before it.
  await appendFile(progressOf(path), `\n${from} ${to}\n`, { mode: 0o600, flush: true });
}

/** The range that was being sent when a run was interrupted. */
export async function rangeUnderWay({ path }: TakenFile): Promise<ItemRange | undefined> {
  const lines = await readFile(progressOf(path), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  const last = lines
    .split('\n')
    .slice(0, -1)
    .findLast((line) => /^\d+ \d+$/.test(line));
  const [from, to] = last?.split(' ').map(Number) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
}

export async function removeTaken({ path }: TakenFile): Promise<void> {
  await rm(path);
  await rm(progressOf(path), { force: true });
}

const progressOf = (path: string): string => `${path}.progress`;
