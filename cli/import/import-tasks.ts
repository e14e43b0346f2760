import { hash } from 'node:crypto';
import { taskOf, type BatchTask } from '../../http-edge/scoring/batch/batch-item.js';
import type { MetricEndpoint } from '../../http-edge/scoring/metric-endpoints.js';
import { derivedTaskId } from '../../http-edge/scoring/task-id.js';
import { recordsOf } from '../../http-edge/scoring/task-records.js';
import type { Codec } from '../../runtime/codec.js';
import { TelltaleError } from '../../runtime/errors.js';
import type { EncodedRecord } from '../../runtime/kafka/produce/appender.js';
import type { ReplayState } from '../../runtime/replays/replay-log.js';
import type { ScoringRequest } from '../../schemas/generated/scoring-request.js';
import type { TaskStatus } from '../../schemas/generated/task-status.js';
import { scoringRequests, taskStatus } from '../../topics/scoring.js';
import { mostRefused, noProgress, withLine, type ImportProgress } from './import-progress.js';
import type { SourceLine } from './source-lines.js';

/** An import: the ids of its tasks are derived from workspace, source and line. */
export interface ImportRequest {
  readonly workspace: string;
  readonly source: string;
  /** The metric for lines that name none. */
  readonly standard: MetricEndpoint;
  readonly textLimit: number;
}

export const importIdOf = ({ workspace, source }: ImportRequest): string =>
  `import-${hash('sha256', JSON.stringify([workspace, source]), 'hex').slice(0, 12)}`;

/** The lines of one transaction, and the progress after it. */
export interface ImportPortion {
  readonly tasks: readonly { readonly line: number; readonly task: BatchTask }[];
  readonly progress: ImportProgress;
  /** What is wrong with the lines that did not become tasks. */
  readonly complaints: readonly { readonly line: number; readonly detail: string }[];
}

const portion = { tasks: 500, characters: 512 * 1024 } as const;

/**
 * Yields the lines that are not tasks yet, in portions. Lines up to the progress are compared with the
 * imported ones: otherwise, if the file was replaced, the table would get half of each file. Refused lines
 * are tried again.
 */
export async function* portionsOf(
  lines: AsyncIterable<SourceLine>,
  before: ImportProgress,
  request: ImportRequest,
  most: number = portion.tasks,
): AsyncGenerator<ImportPortion> {
  const refused = new Set(before.refused);
  const retried = new Set(refused);
  let { line: reached, digest } = before;
  let checked = noProgress.digest;
  let isChecked = before.line === 0;
  let tasks: { line: number; task: BatchTask }[] = [];
  let complaints: { line: number; detail: string }[] = [];
  let characters = 0;
  const check = (): void => {
    if (checked !== before.digest)
      throw new TelltaleError('IMPORT_CHANGED', { source: request.source, line: before.line });
    isChecked = true;
  };
  const take = (): ImportPortion => {
    const taken = { tasks, complaints, progress: { line: reached, digest, refused: [...refused] } };
    [tasks, complaints, characters] = [[], [], 0];
    return taken;
  };
  for await (const { line, part } of lines) {
    if (!isChecked && line > before.line) check();
    const task = taskOf(part, line, request.standard, request.textLimit);
    const isKnown = line <= before.line && !retried.has(line);
    reached = Math.max(reached, line);
    if (!('texts' in task)) {
      refused.add(line);
      complaints.push({ line, detail: task.map(({ detail }) => detail).join(' ') });
      if (refused.size > mostRefused)
        throw new TelltaleError('IMPORT_INVALID', { reason: `more than ${mostRefused} lines are invalid` });
      continue;
    }
    const content = [task.metric, task.texts.prompt, task.texts.response];
    if (isKnown) {
      checked = withLine(checked, line, content);
      continue;
    }
    refused.delete(line);
    digest = withLine(digest, line, content);
    tasks.push({ line, task });
    characters += task.texts.prompt.length + (task.texts.response?.length ?? 0);
    const isFull = tasks.length >= Math.min(most, portion.tasks) || characters >= portion.characters;
    if (isChecked && isFull) yield take();
  }
  if (!isChecked) check();
  yield take();
}

/** The records of a portion, in the edge's order: each task's status before its request. */
export function recordsOfPortion(
  { tasks }: ImportPortion,
  { workspace, source }: ImportRequest,
  codecs: { readonly request: Codec<ScoringRequest>; readonly status: Codec<TaskStatus> },
): readonly EncodedRecord[] {
  const key = { workspace, key_id: 'import' };
  const nowMs = Date.now();
  const all = tasks.map(({ line, task: { endpoint, texts } }) => {
    const taskId = derivedTaskId(['import', workspace, source, line]);
    return recordsOf({ taskId, key, endpoint, texts, nowMs, digest: null });
  });
  return [
    ...all.map(({ queued }) => ({
      topic: taskStatus.name,
      key: queued.task_id,
      value: codecs.status.encode(queued),
    })),
    ...all.map(({ request }) => ({
      topic: scoringRequests.name,
      key: request.id,
      value: codecs.request.encode(request),
    })),
  ];
}

/** The state of an import: written before it starts, with each portion, and at its end. */
export function importState(
  request: ImportRequest,
  progress: ImportProgress,
  more: Pick<ReplayState, 'status' | 'records' | 'created_at' | 'rate'>,
): ReplayState {
  const { workspace, source, standard } = request;
  return {
    id: importIdOf(request),
    kind: 'import',
    what: `${source} into workspace ${workspace}`,
    parameters: JSON.stringify({ workspace, source, metric: standard.metric }),
    progress: JSON.stringify(progress),
    total: null,
    failures: progress.refused.length,
    reason: null,
    ...more,
  };
}
