import { readFile } from 'node:fs/promises';
import { replaceFile } from '../replace-file.js';

/** How far one file has been read. */
export interface Position {
  /** Bytes before compression. */
  readonly offset: number;
  /** When it was seen last, milliseconds since 1970: what is gone for long is forgotten. */
  readonly seenAt: number;
}

/** What must be known after a restart to take every entry once. */
export interface TailState {
  /** Who the cluster is, as it said last: its logs are found by its name while it is away. */
  readonly cluster: { readonly uuid: string; readonly name: string | null } | null;
  /** When its logs were first looked at, milliseconds since 1970: what was compressed before is history. */
  readonly since: number | null;
  /** By identity. What is before a position has been handed over, or was left out for good. */
  readonly positions: Readonly<Record<string, Position>>;
  /** Ids of entries behind the positions that have been handed over already. */
  readonly taken: readonly string[];
  /** What was about to be handed over when the outlet had taken so many bytes: if it has taken more by now, it has them. */
  readonly intent: { readonly extent: number; readonly ids: readonly string[] } | null;
}

export const emptyState: TailState = { cluster: null, since: null, positions: {}, taken: [], intent: null };

/** After a crash: whether what was intended has happened, by how much the outlet has taken until now. */
export function settled(state: TailState, extent: number): TailState {
  const { intent } = state;
  if (intent === null) return state;
  const happened = extent > intent.extent;
  return { ...state, taken: happened ? [...state.taken, ...intent.ids] : state.taken, intent: null };
}

const forgottenAfterMs = 30 * 86_400_000;

/** Without files that have been gone for a month. */
export function withoutForgotten(positions: TailState['positions'], now: number): TailState['positions'] {
  return Object.fromEntries(
    Object.entries(positions).filter(([, { seenAt }]) => now - seenAt < forgottenAfterMs),
  );
}

/** The state of one cluster's logs, in a file that is replaced as a whole: a crash leaves the old one or the new one. */
export interface StateFile {
  read(): Promise<TailState>;
  /** Resolves once it is durable. */
  write(state: TailState): Promise<void>;
}

export function stateFile(path: string): StateFile {
  return {
    async read() {
      try {
        return { ...emptyState, ...(JSON.parse(await readFile(path, 'utf8')) as Partial<TailState>) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyState;
        throw error;
      }
    },
    write: (state) => replaceFile(path, JSON.stringify(state)),
  };
}
