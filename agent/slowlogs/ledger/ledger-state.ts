import { emptyTail, type TailState } from '../tail/positions.js';

/** A put, noted before it is tried. */
export interface Intent {
  /** Whose entries they are. */
  readonly tail: string;
  /** How many bytes the outlet had taken before it. */
  readonly extent: number;
  readonly ids: readonly string[];
}

/** What is known of all clusters' logs, as one whole. */
export interface LedgerState {
  readonly tails: Readonly<Record<string, TailState>>;
  /** The put that was tried last, while whether it was taken is open. */
  readonly intent: Intent | null;
}

export const emptyLedger: LedgerState = { tails: {}, intent: null };

export const tailIn = ({ tails }: LedgerState, name: string): TailState => tails[name] ?? emptyTail;

export function withTail(state: LedgerState, name: string, change: Partial<TailState>): LedgerState {
  return { ...state, tails: { ...state.tails, [name]: { ...tailIn(state, name), ...change } } };
}

/**
 * Whether what was intended has happened, by how much the outlet has taken until now. That tells it as long as an
 * intent is noted before each put and stays noted until the next one's: nobody else can have made the outlet grow.
 */
export function settled(state: LedgerState, extent: number): LedgerState {
  const { intent } = state;
  if (intent === null) return state;
  const closed = { ...state, intent: null };
  if (extent <= intent.extent) return closed;
  const { taken } = tailIn(state, intent.tail);
  return withTail(closed, intent.tail, { taken: [...taken, ...intent.ids] });
}
