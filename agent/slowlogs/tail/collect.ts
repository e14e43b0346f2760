import type { Collected, CollectOptions } from './collection.js';
import { Gathering, mostBytes } from './gathering.js';
import { identify } from './identity.js';
import { openLog, type LogFile, type OpenLog } from './log-file.js';
import { wholly, withoutForgotten, type Position, type TailState } from './positions.js';
import { jsonBegan } from './duplicate-logs.js';

/**
 * Continues in every file from its position. Changes nothing: by storing the positions, the caller decides
 * what counts as read.
 */
export async function collectOperations(options: CollectOptions): Promise<Collected> {
  const { state } = options;
  const gathering = new Gathering(options);
  const positions: Record<string, Position> = { ...state.positions };
  const begun: Record<string, Position> = {};
  const done = new Set<string>();
  const mayComeBack = (): boolean =>
    Object.keys(withoutForgotten(state.positions, options.now)).some((name) => !done.has(name));
  const readOn = async (log: OpenLog): Promise<void> => {
    const identity = await identify(log);
    if (identity === 'strange') gathering.diagnostics.push(strange(log.file));
    if (typeof identity !== 'object' || done.has(identity.name)) return;
    done.add(identity.name);
    const isNew = !(identity.name in state.positions);
    const known = state.positions[identity.name] ?? { offset: startOf(log.file, options) };
    if (isNew) begun[identity.name] = { ...known, seenAt: options.now };
    positions[identity.name] = { ...(await gathering.read(log, identity, known)), seenAt: options.now };
  };
  /** Reads a duplicate only if it was begun before its JSON existed, and only up to where the JSON begins. */
  const readDuplicate = async (log: OpenLog): Promise<void> => {
    const identity = await identify(log);
    if (typeof identity !== 'object' || done.has(identity.name)) return;
    const known = state.positions[identity.name];
    if (known === undefined) return;
    done.add(identity.name);
    const began = known.offset === wholly ? null : await jsonBegan(log.file, options.files);
    const read = began === null ? known : await gathering.read(log, identity, known, began);
    positions[identity.name] = { ...read, seenAt: options.now };
  };
  const readAll = async (files: readonly LogFile[], read: (log: OpenLog) => Promise<void>): Promise<void> => {
    for (const { path } of inOrder(files)) {
      if (gathering.isFull) {
        gathering.endEarly();
        return;
      }
      try {
        const log = await openLog(path);
        if (log === null) continue;
        await (log.file.size === 0 ? Promise.resolve() : read(log)).finally(() => log.handle.close());
      } catch (error) {
        gathering.fail(path, error);
      }
    }
  };
  await readAll(options.files, readOn);
  if (!options.hidden && mayComeBack()) await readAll(options.duplicates, readDuplicate);
  const { operations, notMet, isComplete, isWhole, endedEarly, leftOut, diagnostics } = gathering;
  return {
    operations,
    positions,
    begun,
    taken: isWhole && !mayComeBack() ? [] : notMet,
    isComplete,
    endedEarly,
    leftOut,
    diagnostics,
  };
}

/**
 * Compressed files are read last: while a file is being compressed, the original is there as well. If there
 * are two copies, the longer is read.
 */
const inOrder = (files: readonly LogFile[]): readonly LogFile[] =>
  files.toSorted((a, b) => Number(a.compressed) - Number(b.compressed) || b.size - a.size);

const strange = ({ path }: LogFile): string =>
  `${path} has no entry in a known format, and is skipped: configure one of Elasticsearch's own layouts, in UTF-8`;

/** The clock of the file system can be some milliseconds behind. */
const clockSlackMs = 1_000;

/**
 * Files that were compressed before the agent came are history. Of a large file that existed before, only the
 * end is new.
 */
function startOf(
  file: LogFile,
  { since, state }: { readonly since: number; readonly state: Pick<TailState, 'positions'> },
): number {
  if (file.compressed) return file.changedAt < since - clockSlackMs ? wholly : 0;
  const isFirst = Object.keys(state.positions).length === 0;
  return isFirst ? Math.max(0, file.size - mostBytes) : 0;
}
