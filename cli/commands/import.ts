import { accessSync, constants } from 'node:fs';
import { basename } from 'node:path';
import { edgeConfig } from '../../http-edge/config.js';
import { standardMetricOf } from '../../http-edge/scoring/batch/batch-item.js';
import { readConfig } from '../../runtime/config.js';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import { readReplays, TakenReplay } from '../../runtime/replays/replay-log.js';
import { openCodec } from '../../runtime/registry/codec.js';
import type { Replay } from '../../schemas/generated/replay.js';
import { scoringRequests, taskStatus } from '../../topics/scoring.js';
import type { AddCommand } from '../command.js';
import { noProgress, progressOf } from '../import/import-progress.js';
import {
  importIdOf,
  importState,
  portionsOf,
  recordsOfPortion,
  type ImportPortion,
  type ImportRequest,
} from '../import/import-tasks.js';
import { sourceLines } from '../import/source-lines.js';
import { Pace } from '../../runtime/replays/pace.js';
import { showProgress } from '../progress.js';
import { liveLanes, startLaneBrake } from '../replays/live-lanes.js';
import { openReplaySession, type ReplaySession } from '../replays/session.js';
import { rateOf } from '../replays/options.js';
import { secondsAsLast } from '../replays/seconds-as-last.js';
import { workspaceForm } from '../../schemas/workspace.js';

interface Given {
  readonly workspace: string;
  readonly metric: string;
  readonly source?: string;
  readonly rate?: string;
  readonly dryRun?: boolean;
}

/** `telltale import`: turns the prompts in a file into tasks, each line once, however often it is run. */
export const addImport: AddCommand = (program) => {
  program
    .command('import <file>')
    .description('import prompts as tasks: .ndjson, .parquet, or - for lines of standard input')
    .option('--workspace <workspace>', 'workspace of the tasks', 'default')
    .option('--metric <metric>', 'metric of lines that give no `metric`', 'all')
    .option('--source <name>', 'name under which its lines are known; by default that of the file')
    .option('--rate <tasks>', 'maximum tasks per second')
    .option('--dry-run', 'check the lines, and show how many would become tasks')
    .action(async (file: string, given: Given) => {
      const request = importRequestOf(file, given);
      const rate = rateOf(given.rate);
      const session = await openReplaySession(process.env);
      if (given.dryRun === true) await tryOut(session, file, request);
      else await importFile(session, file, request, rate);
    });
};

function importRequestOf(file: string, { workspace, metric, source }: Given): ImportRequest {
  if (!workspaceForm.test(workspace))
    throw invalid('`workspace` must be 1 to 64 letters, digits, dots, hyphens or underscores');
  if (file === '-' && source === undefined)
    throw invalid('standard input has no name: give one with --source');
  requireReadable(file);
  let standard;
  try {
    standard = standardMetricOf(`?metric=${encodeURIComponent(metric)}`);
  } catch (error) {
    throw invalid(reasonOf(error));
  }
  const { EDGE_TEXT_LIMIT_CHARACTERS: textLimit } = readConfig(edgeConfig, process.env);
  return { workspace, source: source ?? basename(file), standard, textLimit };
}

/** Checked before the import is claimed: otherwise a completed import of this name would be marked failed. */
function requireReadable(file: string): void {
  if (file === '-') return;
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw invalid(`\`${file}\` can't be read: ${reasonOf(error)}`);
  }
}

const invalid = (reason: string): TelltaleError => new TelltaleError('IMPORT_INVALID', { reason });

const progressBefore = (found: Replay | undefined) =>
  found === undefined ? noProgress : progressOf(found.progress);

async function tryOut(session: ReplaySession, file: string, request: ImportRequest): Promise<void> {
  const replays = await readReplays(session.access, session.codec);
  const found = replays.get(importIdOf(request));
  const codecs = await openCodecs(session);
  let [tasks, refused, bytes] = [0, 0, 0];
  for await (const portion of portionsOf(sourceLines(file), progressBefore(found), request)) {
    complain(portion);
    tasks += portion.tasks.length;
    refused = portion.progress.refused.length;
    for (const { value } of recordsOfPortion(portion, request, codecs)) bytes += value?.length ?? 0;
  }
  console.log(
    JSON.stringify({
      dry_run: true,
      tasks,
      refused,
      imported_before: found?.records ?? 0,
      writes: [scoringRequests.name, taskStatus.name],
      // Uncompressed, per replica; Kafka stores them compressed.
      disk_bytes: bytes,
      seconds: secondsAsLast(replays, 'import', tasks),
    }),
  );
}

const openCodecs = async ({ registry }: ReplaySession) => ({
  request: await openCodec(scoringRequests, registry),
  status: await openCodec(taskStatus, registry),
});

async function importFile(
  session: ReplaySession,
  file: string,
  request: ImportRequest,
  rate: number | undefined,
): Promise<void> {
  const codecs = await openCodecs(session);
  const begin = (found: Replay | undefined) =>
    importState(request, progressBefore(found), {
      status: 'running',
      records: found?.records ?? 0,
      created_at: found?.created_at ?? Date.now() * 1_000,
      rate: found?.rate ?? null,
    });
  const taken = await TakenReplay.take(session, importIdOf(request), begin);
  const [shown, pace] = [showProgress(), new Pace(rate)];
  const brake = startLaneBrake(session.access, liveLanes);
  try {
    const before = progressOf(taken.state.progress);
    for await (const portion of portionsOf(sourceLines(file), before, request, rate)) {
      complain(portion);
      const { state } = taken;
      const next = importState(request, portion.progress, {
        status: 'running',
        records: state.records + portion.tasks.length,
        created_at: state.created_at,
        rate: pace.rate ?? state.rate,
      });
      if (portion.tasks.length > 0) await brake.wait();
      await taken.commit(recordsOfPortion(portion, request, codecs), next);
      shown.show(next);
      await pace.did(portion.tasks.length);
    }
    await taken.commit([], { ...taken.state, status: 'done', rate: pace.rate ?? taken.state.rate });
    shown.end(taken.state);
    if (taken.state.failures > 0) process.exitCode = 1;
  } catch (error) {
    const isLost = error instanceof TelltaleError && error.code === 'REPLAY_TAKEN';
    if (!isLost) await taken.commit([], { ...taken.state, status: 'failed', reason: reasonOf(error) });
    throw error;
  } finally {
    await brake.stop();
    await taken.release();
  }
}

/** To standard error, because programs read the standard output. */
function complain({ complaints }: ImportPortion): void {
  for (const { line, detail } of complaints) console.error(`line ${line}: ${detail}`);
}
