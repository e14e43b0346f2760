import type { Route } from '../../runtime/http/route.js';
import type { Gate } from '../http/admission.js';
import type { DeadLetterCounts } from '../ports.js';
import { deadLettersPath } from '../routes.js';

export interface DeadLetterRouteDependencies {
  readonly deadLetters: DeadLetterCounts;
  readonly admission: Gate;
}

/** `GET /api/v1/dead-letters`: how many there are, by stage and code. What they say is for the CLI alone. */
export function deadLetterRoute({ deadLetters, admission }: DeadLetterRouteDependencies): Route {
  return {
    method: 'GET',
    pattern: deadLettersPath,
    async handle(exchange) {
      const { headers } = admission.admit(exchange, ['admin']);
      exchange.json(200, JSON.stringify({ dead_letters: await deadLetters.count() }), headers);
    },
  };
}
