import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { TelltaleError } from '../../../runtime/errors.js';
import { replaceFile } from '../replace-file.js';
import { emptyLedger, settled, withTail, type Intent, type LedgerState } from './ledger-state.js';

/** Where a ledger is kept. It is replaced as a whole: a crash leaves the old one or the new one. */
export interface LedgerFile {
  /** Rejects with LEDGER_INVALID where it is damaged: without it, everything would be handed over again. */
  read(): Promise<LedgerState>;
  /** Resolves once it is durable. Where it rejects, the old one is there or the new one. */
  write(state: LedgerState): Promise<void>;
}

const tailForm = z.object({
  cluster: z.object({ uuid: z.string(), name: z.string().nullable() }).nullable().default(null),
  since: z.number().nullable().default(null),
  positions: z.record(z.string(), z.object({ offset: z.number(), seenAt: z.number() })).default({}),
  taken: z.array(z.string()).default([]),
});
const putForm = z.object({ extent: z.number(), ids: z.array(z.string()) });
const ledgerForm = z.object({
  tails: z.record(z.string(), tailForm),
  intent: putForm.extend({ tail: z.string() }).nullable(),
});
/** An earlier version kept a file for each cluster. */
const earlierForm = tailForm.extend({ intent: putForm.nullable().default(null) });

export function ledgerFile(folder: string): LedgerFile {
  const path = join(folder, 'ledger.json');
  return {
    async read() {
      const text = await textOf(path);
      return text === undefined ? earlierLedger(folder) : inForm(ledgerForm, path, text);
    },
    write: (state) => replaceFile(path, JSON.stringify(state)),
  };
}

const tailFile = /^([0-9a-f]{16})\.json$/;

async function earlierLedger(folder: string): Promise<LedgerState> {
  let state = emptyLedger;
  const intents: Intent[] = [];
  for (const file of await filesIn(folder)) {
    const tail = tailFile.exec(file)?.[1];
    const path = join(folder, file);
    const text = tail === undefined ? undefined : await textOf(path);
    if (tail === undefined || text === undefined) continue;
    const { intent, ...known } = inForm(earlierForm, path, text);
    state = withTail(state, tail, known);
    if (intent !== null) intents.push({ ...intent, tail });
  }
  // Only the last can be open: when a later put was tried, the outlet had grown by those before.
  for (const intent of intents.toSorted((one, other) => one.extent - other.extent))
    state = { ...settled(state, intent.extent), intent };
  return state;
}

function inForm<Form>(form: z.ZodType<Form>, path: string, text: string): Form {
  try {
    return form.parse(JSON.parse(text));
  } catch (cause) {
    throw new TelltaleError('LEDGER_INVALID', { path }, { cause });
  }
}

const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => orMissing(error, undefined));

const filesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: unknown) => orMissing(error, []));

function orMissing<Value>(error: unknown, value: Value): Value {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
  throw error;
}
