import type { Collected, CollectOptions } from './collection.js';
import { Gathering, mostBytes } from './gathering.js';
import { identify, keptAs } from './identity.js';
import { openLog, type LogFile, type OpenLog } from './log-file.js';
import { wholly, withoutForgotten, type Position, type TailState } from './positions.js';
import { jsonBegan } from './duplicate-logs.js';

/** Reads on in every file from where it stands. Changes nothing: who stores the positions decides what was read. */
export async function collectOperations(options: CollectOptions): Promise<Collected> {
  const { state } = options;
  const gathering = new Gathering(options);
  const positions: Record<string, Position> = { ...state.positions };
  const begun: Record<string, Position> = {};
  const inherited = new Set<string>();
  const done = new Set<string>();
  const isMet = (key: string): boolean => done.has(key) || inherited.has(key);
  const mayComeBack = (): boolean =>
    Object.keys(withoutForgotten(state.positions, options.now)).some((key) => !isMet(key));
  const readOn = async (log: OpenLog): Promise<void> => {
    const identity = await identify(log);
    if (identity === 'strange') gathering.diagnostics.push(strange(log.file));
    if (typeof identity !== 'object' || done.has(identity.name)) return;
    done.add(identity.name);
    const key = keptAs(identity, state.positions);
    const known = state.positions[key ?? ''] ?? { offset: startOf(log.file, options) };
    if (key === undefined) begun[identity.name] = { ...known, seenAt: options.now };
    positions[identity.name] = { ...(await gathering.read(log, identity, known)), seenAt: options.now };
    if (key !== undefined && key !== identity.name) inherited.add(key);
  };
  /** Only one that was begun before its JSON was there, up to where that begins. */
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
  // Once all files that an earlier version knew by such a key have it, it says nothing of those that come.
  const kept = Object.entries(positions).filter(([key]) => !(isComplete && inherited.has(key)));
  return {
    operations,
    positions: Object.fromEntries(kept),
    begun,
    taken: isWhole && !mayComeBack() ? [] : notMet,
    isComplete,
    endedEarly,
    leftOut,
    diagnostics,
  };
}

/**
 * What is compressed is read last: while it is being compressed, the file that it was is there as well. Of two copies, the
 * longer is read.
 */
const inOrder = (files: readonly LogFile[]): readonly LogFile[] =>
  files.toSorted((a, b) => Number(a.compressed) - Number(b.compressed) || b.size - a.size);

const strange = ({ path }: LogFile): string =>
  `${path} has no entry in a format that Elasticsearch writes, and is not read: write it in one of Elasticsearch's own layouts, as UTF-8`;

/** The clock that files are stamped by may be some milliseconds behind. */
const clockSlackMs = 1_000;

/** What was compressed before the agent came is history; of a large file that it found, only the end is news. */
export function startOf(
  file: LogFile,
  { since, state }: { readonly since: number; readonly state: Pick<TailState, 'positions'> },
): number {
  if (file.compressed) return file.changedAt < since - clockSlackMs ? wholly : 0;
  const isFirst = Object.keys(state.positions).length === 0;
  return isFirst ? Math.max(0, file.size - mostBytes) : 0;
}
