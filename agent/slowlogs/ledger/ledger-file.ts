import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { TelltaleError } from '../../../runtime/errors.js';
import { replaceFile } from '../replace-file.js';
import { emptyLedger, settled, withTail, type Intent, type LedgerState } from './ledger-state.js';

/** The file of a ledger. It is replaced as a whole: a crash leaves the old one or the new one. */
export interface LedgerFile {
  /** Rejects with LEDGER_INVALID where it is damaged: without it, every entry would be put again. */
  read(): Promise<LedgerState>;
  /** Resolves once it is durable. Where it rejects, either the old or the new one is there. */
  write(state: LedgerState): Promise<void>;
}

const positionForm = z.object({
  offset: z.number(),
  seenAt: z.number(),
  asRead: z.object({ size: z.number(), changedAt: z.number(), problem: z.string().nullable() }).optional(),
});
const tailForm = z.object({
  cluster: z.object({ uuid: z.string(), name: z.string().nullable() }).nullable().default(null),
  since: z.number().nullable().default(null),
  positions: z.record(z.string(), positionForm).default({}),
  taken: z.array(z.string()).default([]),
  places: z
    .object({
      searchLogPath: z.string(),
      indexingLogPath: z.string(),
      logDirectories: z.array(z.string()),
    })
    .nullable()
    .default(null),
  leftAt: z.number().nullable().default(null),
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
  let isAlone = false;
  return {
    async read() {
      const text = await textOf(path);
      return text === undefined ? earlierLedger(folder) : inForm(ledgerForm, path, text);
    },
    async write(state) {
      await replaceFile(path, JSON.stringify(state));
      if (isAlone) return;
      isAlone = true;
      await removeEarlier(folder).catch(() => undefined); // the next process tries again
    },
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
  // Only the last can be open: when a later put was tried, the outbox had grown by those before.
  for (const intent of intents.toSorted((one, other) => one.extent - other.extent))
    state = { ...settled(state, intent.extent), intent };
  return state;
}

/** The files of earlier versions are in the ledger once that is written. */
async function removeEarlier(folder: string): Promise<void> {
  for (const file of await filesIn(folder)) if (tailFile.test(file)) await rm(join(folder, file));
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
