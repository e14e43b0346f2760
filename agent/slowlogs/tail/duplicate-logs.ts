import { parseEntry } from '../parse/parse.js';
import { contentOf, lookAt, openLog, type LogFile } from './log-file.js';
import { readEntries } from './read-entries.js';

/** The beginning that a log and its duplicates share: `<cluster>_index_search_slowlog`. */
const stemOf = (path: string): string => path.slice(0, path.lastIndexOf('_slowlog') + '_slowlog'.length);

/** 7.x writes every entry twice, as JSON and as text: the text is not read if its JSON is next to it. */
export function withoutDuplicates(names: readonly string[]): readonly string[] {
  const withJson = new Set(names.filter((name) => name.includes('.json')).map(stemOf));
  return names.filter((name) => !/_slowlog[^.]*\.log/.test(name) || !withJson.has(stemOf(name)));
}

/** Both are written at the same time: a text that continues alone is no duplicate of the older JSON. */
const duplicatesDifferMs = 600_000;

/** Reports a text that is written without its JSON. */
export async function stillWritten(duplicate: string, found: readonly LogFile[]): Promise<readonly string[]> {
  const times = beside(duplicate, found).map(({ changedAt }) => changedAt);
  const file = await lookAt(duplicate).catch(() => null);
  if (file === null || file.changedAt - Math.max(...times) <= duplicatesDifferMs) return [];
  return [
    `${duplicate} is not read, because its entries should be in the JSON file next to it, which is older: remove the JSON file if it is no longer written`,
  ];
}

/**
 * Since when the entries of a text log are also in the JSON next to it, in microseconds since 1970; null if
 * the JSON has none, or can't be read. 6.x writes text alone: after an upgrade to 7.x, earlier entries were
 * never written as JSON.
 */
export async function jsonBegan(duplicate: LogFile, found: readonly LogFile[]): Promise<number | null> {
  const firsts: number[] = [];
  for (const { path } of beside(duplicate.path, found)) {
    const first = await firstTime(path).catch(() => null);
    if (first === null) return null;
    firsts.push(first);
  }
  const began = Math.min(...firsts);
  return began === Infinity ? null : began;
}

const beside = (duplicate: string, found: readonly LogFile[]): readonly LogFile[] =>
  found.filter(({ path }) => path.startsWith(stemOf(duplicate)));

/** Infinity if there is no entry yet. */
async function firstTime(path: string): Promise<number | null> {
  const log = await openLog(path);
  if (log === null) return null;
  try {
    for await (const { text, tail } of readEntries(contentOf(log, 0), 0, false)) {
      const parsed = parseEntry(text, undefined, tail);
      if (parsed.is === 'operation') return parsed.operation.at;
    }
    return Infinity;
  } finally {
    await log.handle.close();
  }
}
