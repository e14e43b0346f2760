import { randomUUID } from 'node:crypto';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { decideLetters } from '../../runtime/dead-letters/decide-letters.js';
import type { DeadLetterFilter } from '../../runtime/dead-letters/read-dead-letters.js';
import type { FoundDeadLetter } from '../../runtime/dead-letters/dead-letter.js';
import { LetterGroups } from '../../runtime/dead-letters/letter-groups.js';
import { TelltaleError } from '../../runtime/errors.js';
import type { DeadLetterDecision } from '../../schemas/generated/dead-letter-decision.js';
import type { AddCommand } from '../command.js';
import { adminNeeded, requireAdmin } from '../dead-letters/admin.js';
import { letterText, listText } from '../dead-letters/letter-text.js';
import { decidedAt, letterView, type LetterView } from '../dead-letters/letter-view.js';
import { openDeadLetterSession, type DeadLetterSession } from '../dead-letters/session.js';
import { timestampOf } from '../../runtime/replays/timestamp.js';
import { operatorName } from '../operator.js';

interface Wanted {
  readonly stage?: string;
  readonly code?: string;
  readonly since?: string;
  readonly json?: boolean;
}
interface Listing extends Wanted {
  readonly limit: number;
  readonly state?: string;
}
interface Deciding extends Wanted {
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly reason?: string;
}

const say = (text: string): void => console.log(text);

/**
 * `telltale dead-letters list|show|replay|discard`: shows records that could not be processed, and decides about them.
 */
export const addDeadLetters: AddCommand = (program) => {
  const command = program
    .command('dead-letters')
    .description('list records that cannot be processed, send them back, or discard them');
  filtered(command.command('list'))
    .description('count dead letters by stage and code, and list the newest')
    .addOption(
      new Option('--state <state>', 'only those in this state').choices(['open', 'replayed', 'discarded']),
    )
    .option('--limit <count>', 'maximum number to list', countOf, 20)
    .action((given: Listing) => withLetters((letters) => list(letters, given)));
  command
    .command('show <id>')
    .description('show one dead letter')
    .option('--text', 'show the record too; TELLTALE_API_KEY must hold a key with the scope admin')
    .option('--json', 'print JSON')
    .action((id: string, given: Readonly<{ text?: boolean; json?: boolean }>) =>
      withLetters((letters) => show(letters, id, given)),
    );
  deciding(command.command('replay [id...]'))
    .description('send records back to the topic that they came from, each once')
    .option('--reason <text>', 'what was fixed')
    .action((ids: string[], given: Deciding) =>
      withLetters((letters) => decide(letters, 'replayed', ids, given)),
    );
  deciding(command.command('discard [id...]'))
    .description('decide that records stay dead; the reason is kept')
    .requiredOption('--reason <text>', 'why')
    .action((ids: string[], given: Deciding) =>
      withLetters((letters) => decide(letters, 'discarded', ids, given)),
    );
};

const filtered = (command: Command): Command =>
  command
    .option('--stage <stage>', 'only those of this stage')
    .option('--code <code>', 'only those with this error code')
    .option('--since <timestamp>', 'only those since then: ISO 8601, or an age such as 12h or 7d')
    .option('--json', 'print JSON');

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new InvalidArgumentError('It must be a whole number.');
}

const deciding = (command: Command): Command =>
  filtered(command)
    .option('--all', 'every open dead letter')
    .option('--dry-run', 'show what would be decided, without deciding');

async function withLetters(work: (letters: DeadLetterSession) => Promise<void>): Promise<void> {
  const session = await openDeadLetterSession(process.env);
  try {
    await work(session);
  } finally {
    await session.close();
  }
}

function filterOf({ stage, code, since }: Wanted): DeadLetterFilter {
  return {
    ...(stage === undefined ? {} : { stage }),
    ...(code === undefined ? {} : { code }),
    ...(since === undefined ? {} : { since: timestampOf(since, Date.now()) }),
  };
}

async function list(letters: DeadLetterSession, given: Listing): Promise<void> {
  const decisions = await letters.decisions.read();
  const groups = new LetterGroups();
  let newest: LetterView[] = [];
  await letters.each(filterOf(given), (found) => {
    const views = found
      .map((letter) => letterView(letter, decisions.get(letter.id)))
      .filter(({ state }) => given.state === undefined || state === given.state);
    for (const view of views) groups.add(view);
    newest = [...newest, ...views].sort((a, b) => b.at.localeCompare(a.at)).slice(0, given.limit);
  });
  const listed = groups.list();
  say(given.json === true ? JSON.stringify({ groups: listed, letters: newest }) : listText(listed, newest));
}

async function show(
  letters: DeadLetterSession,
  id: string,
  { text = false, json = false }: Readonly<{ text?: boolean; json?: boolean }>,
): Promise<void> {
  const workspace = text ? await requireAdmin(process.env) : undefined;
  const decisions = await letters.decisions.read();
  const [letter] = await lettersOf(letters, { ids: new Set([id]) });
  if (letter === undefined) throw new TelltaleError('DEAD_LETTER_UNKNOWN', { id });
  const view = letterView(letter, decisions.get(id));
  if (workspace === undefined) {
    say(json ? JSON.stringify(view) : letterText(view));
    return;
  }
  const value = await letters.decode(letter);
  const owner = (value as { readonly workspace?: unknown } | undefined)?.workspace;
  if (typeof owner !== 'string')
    throw adminNeeded('The record cannot be decoded, so its workspace is unknown');
  if (owner !== workspace)
    throw adminNeeded(`The record belongs to workspace ${owner}, and the key to ${workspace}`);
  const raw = letter.value?.toString('base64') ?? null;
  if (json) say(JSON.stringify({ ...view, value, value_base64: raw }));
  else say(`${letterText(view)}\n\n${JSON.stringify(value, null, 2)}`);
}

async function lettersOf(letters: DeadLetterSession, filter: DeadLetterFilter): Promise<FoundDeadLetter[]> {
  const found: FoundDeadLetter[] = [];
  await letters.each(filter, (some) => void found.push(...some));
  return found;
}

async function decide(
  letters: DeadLetterSession,
  decision: DeadLetterDecision['decision'],
  ids: readonly string[],
  given: Deciding,
): Promise<void> {
  const filter = filterOf(given);
  const isBounded = given.all === true || ids.length > 0 || Object.keys(filter).length > 0;
  if (!isBounded) throw new TelltaleError('DEAD_LETTERS_UNSPECIFIED');
  const { done, before, unknown } = await decideLetters(
    letters,
    { ...filter, ...(ids.length > 0 && { ids: new Set(ids) }) },
    {
      decision,
      reason: given.reason ?? null,
      decided_by: operatorName(),
      command_id: randomUUID(),
    },
    { isTrial: given.dryRun === true },
  );
  report(decision, done, given);
  const [missing] = unknown;
  if (missing !== undefined) throw new TelltaleError('DEAD_LETTER_UNKNOWN', { id: missing });
  const [decided] = before;
  // An earlier decision is an error only for letters that were named by id.
  if (decided === undefined || ids.length === 0) return;
  const { id, decision: was, decided_by: by } = decided;
  throw new TelltaleError('DEAD_LETTER_DECIDED', { id, decision: was, at: decidedAt(decided), by });
}

function report(
  decision: DeadLetterDecision['decision'],
  count: number,
  { json = false, dryRun = false }: Deciding,
): void {
  const would = dryRun ? 'would be ' : '';
  if (json) say(JSON.stringify({ decision, count, dry_run: dryRun }));
  else say(`${count} ${count === 1 ? 'dead letter' : 'dead letters'} ${would}${decision}.`);
}
