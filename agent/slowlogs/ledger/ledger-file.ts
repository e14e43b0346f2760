import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyTail, type TailState } from '../tail/positions.js';
import { replaceFile } from '../replace-file.js';
import { emptyLedger, withTail, type Intent, type LedgerState } from './ledger-state.js';

/** Where a ledger is kept. It is replaced as a whole: a crash leaves the old one or the new one. */
export interface LedgerFile {
  read(): Promise<LedgerState>;
  /** Resolves once it is durable. Where it rejects, the old one is there or the new one. */
  write(state: LedgerState): Promise<void>;
}

export function ledgerFile(folder: string): LedgerFile {
  const path = join(folder, 'ledger.json');
  return {
    async read() {
      const text = await textOf(path);
      return text === undefined
        ? earlierForm(folder)
        : { ...emptyLedger, ...(JSON.parse(text) as Partial<LedgerState>) };
    },
    write: (state) => replaceFile(path, JSON.stringify(state)),
  };
}

const tailFile = /^([0-9a-f]{16})\.json$/;

type EarlierTail = Partial<TailState> & { readonly intent?: Omit<Intent, 'tail'> | null };

/** An earlier version kept a file for each cluster. Of their intents only the last can be open. */
async function earlierForm(folder: string): Promise<LedgerState> {
  let state = emptyLedger;
  for (const file of await filesIn(folder)) {
    const tail = tailFile.exec(file)?.[1];
    const text = tail === undefined ? undefined : await textOf(join(folder, file));
    if (tail === undefined || text === undefined) continue;
    const { intent, ...known } = JSON.parse(text) as EarlierTail;
    state = withTail(state, tail, { ...emptyTail, ...known });
    if (intent && intent.extent >= (state.intent?.extent ?? 0))
      state = { ...state, intent: { ...intent, tail } };
  }
  return state;
}

const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => orMissing(error, undefined));

const filesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: unknown) => orMissing(error, []));

function orMissing<Value>(error: unknown, value: Value): Value {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
  throw error;
}
