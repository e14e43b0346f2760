import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { TelltaleError } from '../../../runtime/errors.js';
import { replaceFile } from '../replace-file.js';
import { emptyLedger, type LedgerState } from './ledger-state.js';

/** The file of a ledger. It is replaced as a whole: a crash leaves the old one or the new one. */
export interface LedgerFile {
  /** Rejects with LEDGER_INVALID if it is damaged: without it, every entry would be put again. */
  read(): Promise<LedgerState>;
  /** Resolves once it is durable. If it rejects, either the old or the new one is there. */
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
const ledgerForm = z.object({
  tails: z.record(z.string(), tailForm),
  intent: z.object({ extent: z.number(), ids: z.array(z.string()), tail: z.string() }).nullable(),
});

export function ledgerFile(folder: string): LedgerFile {
  const path = join(folder, 'ledger.json');
  return {
    async read() {
      const text = await textOf(path);
      return text === undefined ? emptyLedger : inForm(ledgerForm, path, text);
    },
    write: (state) => replaceFile(path, JSON.stringify(state)),
  };
}

function inForm<Form>(form: z.ZodType<Form>, path: string, text: string): Form {
  try {
    return form.parse(JSON.parse(text));
  } catch (cause) {
    throw new TelltaleError('LEDGER_INVALID', { path }, { cause });
  }
}

const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
