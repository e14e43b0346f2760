import { randomUUID } from 'node:crypto';
import { decideLetters } from '../../runtime/dead-letters/decide-letters.js';
import { Decisions, type DecisionsOptions } from '../../runtime/dead-letters/decisions.js';
import { readDeadLetters } from '../../runtime/dead-letters/read-dead-letters.js';
import { Problem } from '../../runtime/http/problem.js';
import { deadLetterDecisions } from '../../topics/dead-letters.js';
import { inTime } from '../http/in-time.js';
import type { DeadLetters } from '../ports.js';

/** A request sends no more back, so that it ends soon, and a cause that is still there costs no more than this. */
const mostAtOnce = 1_000;

/**
 * Sends dead letters back as the command does: the record and the decision are one transaction, under the transactional
 * id of all commands and edges.
 */
export function replayLetters({ access, codec, sources }: DecisionsOptions): DeadLetters['replay'] {
  let isBusy = false;
  return async (filter, by) => {
    if (isBusy)
      throw new Problem(
        'conflict',
        'This edge is sending other dead letters back. Ask again in some seconds: each letter goes back once.',
      );
    isBusy = true;
    const decisions = new Decisions({ access, codec, sources });
    const each: Parameters<typeof decideLetters>[0]['each'] = (wanted, take) =>
      readDeadLetters(sources, access, wanted, take);
    const request = { decision: 'replayed' as const, ...by, command_id: randomUUID() };
    const work = decideLetters({ decisions, each }, filter, request, { most: mostAtOnce }).finally(
      async () => {
        await decisions.close();
        isBusy = false;
      },
    );
    return inTime(deadLetterDecisions.name, work);
  };
}
