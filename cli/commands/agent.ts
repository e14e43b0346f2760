import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { checkAgent } from '../../agent/check.js';
import { components } from '../../agent/components.js';
import { loadSettings } from '../../agent/settings/open-settings.js';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import type { AddCommand } from '../command.js';
import { runRole } from '../role.js';

/** `telltale agent` runs the agent; `telltale agent check` says what it would do. */
export const addAgent: AddCommand = (program) => {
  describeAgent(
    program
      .command('agent')
      .description(
        'run the agent: accepts events and traces on this host, watches search clusters, and keeps all data until the server has it',
      ),
  );
};

/** The same command, for the standalone program `telltale-agent` too. */
export function describeAgent(command: Command): void {
  command.action(async () => runRole('agent', (await import('../roles/agent.js')).startAgentRole));
  command
    .command('check')
    .description(
      'show what the agent would do; exit code 1 if the settings are wrong, 2 if the server does not accept its data',
    )
    .action(async () => {
      process.exitCode = await check((line) => console.log(line));
    });
  command
    .command('scrub')
    .argument('[file]', 'file with a search from a slow log; standard input if not given')
    .addOption(
      new Option('--query-text <how>', 'how to keep the query, like `queryText` of the integration')
        .choices(['scrubbed', 'shape'] as const)
        .default('scrubbed'),
    )
    .option(
      '--max-query-length <characters>',
      'characters to keep, like `maxQueryLength` of the integration',
      lengthOf,
      2_000,
    )
    .description('show a search as it would leave this host, with each replacement and its rule')
    .action(async (file: string | undefined, options: ScrubOptions) =>
      explain(file, options, (line) => console.log(line)),
    );
  command
    .command('send-again')
    .description(
      'send quarantined items again; exit code 1 if some are refused again, 2 if the server does not accept them now',
    )
    .action(async () => {
      process.exitCode = await again((line) => console.log(line));
    });
}

async function check(print: (line: string) => void): Promise<number> {
  const { does, problems, server } = await checkAgent(await loadSettings(process.env), components);
  print('The agent');
  for (const line of does) print(`  ${line}`);
  for (const problem of problems) print(`wrong: ${problem}`);
  print(
    server === undefined ? 'The server accepts its data.' : `The server does not accept its data: ${server}.`,
  );
  if (problems.length > 0) return 1;
  return server === undefined ? 0 : 2;
}

interface ScrubOptions {
  readonly queryText: 'scrubbed' | 'shape';
  readonly maxQueryLength: number;
}

function lengthOf(text: string): number {
  const length = Number(text);
  if (Number.isInteger(length) && length >= 1 && length <= 1_000_000) return length;
  throw new InvalidArgumentError('It must be a number of characters from 1 to 1000000.');
}

/**
 * Nothing leaves the host: the replacements are shown only to the user, who already has the text. Only the
 * agent's own user can read its digest key, so a random key is used here.
 */
async function explain(
  file: string | undefined,
  { queryText, maxQueryLength }: ScrubOptions,
  print: (line: string) => void,
): Promise<void> {
  const { scrubSearch } = await import('../../agent/slowlogs/scrub-operation.js');
  const { idRule } = await import('../../agent/slowlogs/scrub/replacements.js');
  const source = await sourceOf(file);
  const digestKey = randomBytes(32).toString('hex');
  const scrubbed = scrubSearch(source.replace(/\r?\n$/, ''), queryText, maxQueryLength, digestKey);
  print(scrubbed.text);
  for (const { rule, replaced } of scrubbed.replacements) print(`${rule}: ${replaced}`);
  print(`${scrubbed.replacements.length} replaced`);
  if (scrubbed.wasCut) print(`cut off after ${maxQueryLength} characters`);
  if (scrubbed.replacements.some(({ rule }) => rule === idRule))
    print("digests of ids are made with a key generated for this output, not with the agent's key");
}

async function sourceOf(file: string | undefined): Promise<string> {
  if (file !== undefined)
    return readFile(file, 'utf8').catch((cause: unknown) => {
      throw new TelltaleError('FILE_UNREADABLE', { file, reason: reasonOf(cause) }, { cause });
    });
  if (process.stdin.isTTY) console.error('Paste the search, and end with Ctrl-D:');
  return text(process.stdin);
}

async function again(print: (line: string) => void): Promise<number> {
  const { sendAgain } = await import('../../agent/forwarder/send-again.js');
  const settings = await loadSettings(process.env);
  const outcomes = await sendAgain(settings);
  if (outcomes.length === 0) print(`Nothing was quarantined in ${resolve(settings.AGENT_FOLDER)}.`);
  for (const { dataset, arrived, refused, reason, unreadable, obstacle } of outcomes) {
    print(
      `${dataset}: ${arrived} arrived, ${refused} were quarantined again${reason === undefined ? '' : ` (${reason})`}`,
    );
    if (unreadable > 0)
      print(`${dataset}: ${unreadable} entries could not be read; they are kept in ${dataset}.unreadable`);
    if (obstacle !== undefined) print(`${dataset}: the rest waits for another try: ${obstacle}`);
  }
  if (outcomes.some(({ obstacle }) => obstacle !== undefined)) return 2;
  return outcomes.some(({ refused }) => refused > 0) ? 1 : 0;
}
