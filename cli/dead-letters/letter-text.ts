import { table } from '../table.js';
import type { LetterGroup } from '../../runtime/dead-letters/letter-groups.js';
import type { LetterView } from './letter-view.js';

/** The output of `list`: counts by stage and code, then the newest letters. */
export function listText(groups: readonly LetterGroup[], letters: readonly LetterView[]): string {
  if (groups.length === 0) return 'There are no such dead letters.';
  const counts = groups.map(({ stage, code, open, replayed, discarded, oldest_at, newest_at }) => [
    stage,
    code,
    String(open),
    String(replayed),
    String(discarded),
    oldest_at,
    newest_at,
  ]);
  const rows = letters.map(({ id, state, at, stage, code, topic, partition, offset }) => [
    id,
    state,
    at,
    stage,
    code,
    `${topic}/${partition}/${offset}`,
  ]);
  return [
    table([['STAGE', 'CODE', 'OPEN', 'REPLAYED', 'DISCARDED', 'OLDEST', 'NEWEST'], ...counts]),
    '',
    table([['ID', 'STATE', 'SINCE', 'STAGE', 'CODE', 'RECORD'], ...rows]),
  ].join('\n');
}

/** The output of `show` for one letter. */
export function letterText(view: LetterView): string {
  const { topic, partition, offset, decided_at, decided_by, decision_reason } = view;
  const because = decision_reason === null ? '' : `: ${decision_reason}`;
  const decided = decided_at === null ? '' : `, at ${decided_at} by ${decided_by ?? ''}${because}`;
  return table([
    ['dead letter', view.id],
    ['state', `${view.state}${decided}`],
    ['since', view.at],
    ['stage', view.stage],
    ['code', view.code],
    ['reason', view.reason],
    ['record', `${topic}, partition ${partition}, offset ${offset}, ${view.bytes} bytes`],
    ['failed', view.attempts === 1 ? 'once' : `${view.attempts} times`],
  ]);
}
