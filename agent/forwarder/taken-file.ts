import { appendFile, readFile, rm } from 'node:fs/promises';
import { itemOfEntry } from './quarantine.js';

/** A file of what was quarantined that is being sent again, under an id of its own. */
export interface TakenFile {
  readonly path: string;
  readonly id: string;
}

/** The items of a file from one number to another: what is sent together. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

export interface TakenContents {
  /** In order; what was quarantined twice, as a crash came between, is there once. */
  readonly items: readonly string[];
  /** What crashes have left of entries. */
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

/** Notes what goes out next, before it does: all before it is settled, and it is cut the same way after a break. */
export async function notePart({ path }: TakenFile, { from, to }: Part): Promise<void> {
  // A line of its own, whatever is left of a note before it.
  await appendFile(progressOf(path), `\n${from} ${to}\n`, { mode: 0o600, flush: true });
}

/** The part that was under way when a run was broken off. */
export async function partUnderWay({ path }: TakenFile): Promise<Part | undefined> {
  const notes = await readFile(progressOf(path), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  const last = notes
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
