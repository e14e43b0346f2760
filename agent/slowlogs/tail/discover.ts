import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDamage } from './decompressed.js';
import { isGone, lookAt, type LogFile } from './log-file.js';
import { standardDirectories } from './standard-directories.js';
import { stillWritten, withoutDuplicates } from './duplicate-logs.js';

/** Where integration.json says that the logs of a cluster are; `*` in a path stands for any part of one name. */
export interface LogPaths {
  readonly searchLogPath: string;
  readonly indexingLogPath: string;
  /** Used instead of the standard directories, unless it is empty. */
  readonly logDirectories: readonly string[];
}

export interface WhereToLook extends LogPaths {
  /** The name of the cluster's logs; null while it is unknown. */
  readonly clusterName: string | null;
}

export interface Discovered {
  /** Rotated files come first, in the order of their last change. */
  readonly files: readonly LogFile[];
  /** Text logs that are not read because of the JSON next to them. */
  readonly duplicates: readonly LogFile[];
  /** What could not be looked at, or was not there, and what to do about it. */
  readonly diagnostics: readonly string[];
  /** Whether something could not be looked at: a file that was not found might be there. */
  readonly hidden: boolean;
}

/** The logs of a cluster. */
const kinds = ['search', 'indexing'] as const;
type Kind = (typeof kinds)[number];

/** Finds the slow logs of a cluster on this host. */
export async function discoverLogs(where: WhereToLook): Promise<Discovered> {
  const named = [where.searchLogPath, where.indexingLogPath].filter((path) => path !== '');
  const unnamed = kinds.filter((kind) => where[`${kind}LogPath`] === '');
  const found = new Map<string, LogFile>();
  const left = new Map<string, LogFile>();
  const diagnostics: string[] = [];
  const closed: string[] = [];
  const gather = async (folder: string, isLog: (name: string) => boolean): Promise<number> => {
    const names = await namesIn(folder, closed, diagnostics);
    diagnostics.push(...passedOver(folder, names, isLog));
    const logs = names.filter(isLog);
    const wanted = withoutDuplicates(logs);
    for (const name of wanted) await add(join(folder, name), found, closed);
    const duplicates = logs.filter((name) => !wanted.includes(name)).map((name) => join(folder, name));
    for (const duplicate of duplicates) await add(duplicate, left, closed);
    for (const duplicate of duplicates)
      diagnostics.push(...(await stillWritten(duplicate, [...found.values()])));
    return wanted.length;
  };
  for (const path of named) {
    const isLog = rotationsOf(basename(path));
    let count = 0;
    for (const folder of await foldersOf(dirname(path), (parent) => namesIn(parent, closed, diagnostics)))
      count += await gather(folder, isLog);
    if (count === 0) diagnostics.push(`there is no slow log at ${path}`);
  }
  if (unnamed.length > 0) {
    const folders = where.logDirectories.length > 0 ? where.logDirectories : await standardDirectories();
    if (where.clusterName === null) {
      if (named.length === 0)
        diagnostics.push('the name of the cluster is not known yet, and its logs are called after it');
    } else {
      const isLog = logsOf(where.clusterName, unnamed);
      let count = 0;
      for (const folder of folders) count += await gather(folder, isLog);
      // An operator who names one of the two logs might not have the other.
      if (count === 0 && named.length === 0) {
        diagnostics.push(
          `no slow log of cluster ${where.clusterName} in ${folders.join(', ')}: none is written before a threshold is set and passed; set slowlog.logDirectories if the node logs elsewhere`,
        );
      }
    }
  }
  const inOrder = (logs: ReadonlyMap<string, LogFile>): LogFile[] =>
    [...logs.values()].sort((a, b) => a.changedAt - b.changedAt);
  return {
    files: inOrder(found),
    duplicates: inOrder(left),
    diagnostics: [...closed, ...diagnostics],
    hidden: closed.length > 0,
  };
}

/** The folders that a path names. */
async function foldersOf(
  path: string,
  namesOf: (folder: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (!path.includes('*')) return [path];
  const name = formOf(basename(path));
  const folders: string[] = [];
  for (const parent of await foldersOf(dirname(path), namesOf)) {
    const names = basename(path).includes('*') ? await namesOf(parent) : [basename(path)];
    folders.push(...names.filter((each) => name.test(each)).map((each) => join(parent, each)));
  }
  return folders;
}

async function namesIn(folder: string, closed: string[], diagnostics: string[]): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') diagnostics.push(`${folder} is not a directory`);
    else if (!isGone(error)) closed.push(unreadable(folder, error));
    return [];
  }
}

async function add(path: string, found: Map<string, LogFile>, closed: string[]): Promise<void> {
  try {
    const file = await lookAt(path);
    if (file !== null && !found.has(file.inode)) found.set(file.inode, file);
  } catch (error) {
    closed.push(unreadable(path, error));
  }
}

/** A diagnostic of a file that can't be read: its path and the reason, without any of its content. */
export function unreadable(path: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? 'it is damaged';
  if (isDamage(error))
    return `${path} can't be read to its end (${code}): it is damaged, or not whole yet; remove it where it stays so`;
  const cure = code === 'EACCES' || code === 'EPERM' ? "; let the agent's user read it" : '';
  return `${path} can't be read (${code})${cure}`;
}

/** `<cluster>_index_search_slowlog.json` and similar names, and their rotated files. */
function logsOf(clusterName: string, unnamed: readonly Kind[]): (name: string) => boolean {
  const bases = unnamed.flatMap((kind) =>
    ['json', 'log'].map((ending) => `${clusterName}_index_${kind}_slowlog.${ending}`),
  );
  const forms = bases.map(rotationsOf);
  return (name) => forms.some((is) => is(name));
}

/** `a.json`, and its rotated files `a-1.json`, `a-2026-11-21-3.json.gz`, `a.json.1`. */
function rotationsOf(base: string): (name: string) => boolean {
  const dot = base.lastIndexOf('.');
  const [stem, ending] = dot === -1 ? [base, ''] : [base.slice(0, dot), base.slice(dot)];
  const form = new RegExp(
    `^${pattern(stem)}(?:[._-][\\d_-]{1,20})?${pattern(ending)}(?:[._-][\\d_-]{1,20}|\\.old)?(?:\\.gz)?$`,
  );
  return (name) => form.test(name);
}

const formOf = (name: string): RegExp => new RegExp(`^${pattern(name)}$`);

/** The source of an expression for a name in which `*` stands for any part. */
const pattern = (name: string): string => name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');

/** Rotated logs in a format that can't be read here. */
function passedOver(
  folder: string,
  names: readonly string[],
  isLog: (name: string) => boolean,
): readonly string[] {
  const foreign = names.filter((name) => {
    const unpacked = name.replace(/\.(?:zst|bz2|xz|lz4|zip|Z)$/, '');
    return unpacked !== name && isLog(unpacked);
  });
  const [first] = foreign;
  if (first === undefined) return [];
  return [
    `${foreign.length} rotated logs like ${join(folder, first)} are skipped: compress them with gzip, or not at all`,
  ];
}
