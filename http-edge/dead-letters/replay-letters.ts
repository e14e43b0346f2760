import { randomUUID } from 'node:crypto';
import { decidableLetters, decideLetters } from '../../runtime/dead-letters/decide-letters.js';
import type { DecisionsOptions } from '../../runtime/dead-letters/decisions.js';
import { Problem } from '../../runtime/http/problem.js';
import { deadLetterDecisions } from '../../topics/dead-letters.js';
import { inTime } from '../http/in-time.js';
import type { DeadLetters } from '../ports.js';

/** The most that one request sends back, so that it ends soon and a cause that still exists costs no more. */
const mostAtOnce = 1_000;

/**
 * Sends dead letters back as the command does: the record and the decision are one transaction. All commands
 * and edges share its transactional id.
 */
export function replayLetters(options: DecisionsOptions): DeadLetters['replay'] {
  let isBusy = false;
  return async (filter, by) => {
    if (isBusy)
      throw new Problem(
        'conflict',
        'This edge is sending other dead letters back. Ask again in some seconds: each letter goes back once.',
      );
    isBusy = true;
    const letters = decidableLetters(options);
    const request = { decision: 'replayed' as const, ...by, command_id: randomUUID() };
    const work = decideLetters(letters, filter, request, { most: mostAtOnce })
      .finally(() => letters.decisions.close())
      .finally(() => {
        isBusy = false;
      });
    return inTime(deadLetterDecisions.name, work);
  };
}
