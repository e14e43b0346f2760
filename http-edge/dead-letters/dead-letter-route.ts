import type { Route } from '../../runtime/http/route.js';
import type { Gate } from '../http/admission.js';
import { installationWorkspace } from '../installation-workspace.js';
import type { DeadLetters } from '../ports.js';
import { deadLettersPath } from '../routes.js';

export interface DeadLetterRouteDependencies {
  readonly deadLetters: DeadLetters;
  readonly admission: Gate;
}

/**
 * `GET /api/v1/dead-letters`: how many there are, by stage and code, and the newest with their reasons. A record that
 * nobody can read belongs to no workspace, so only an admin of the installation sees single letters. The content of the
 * records is for the CLI alone.
 */
export function deadLetterRoute({ deadLetters, admission }: DeadLetterRouteDependencies): Route {
  return {
    method: 'GET',
    pattern: deadLettersPath,
    async handle(exchange) {
      const { key, headers } = admission.admit(exchange, ['admin']);
      const { groups, newest } = await deadLetters.read();
      const letters = key.workspace === installationWorkspace ? newest : null;
      exchange.json(200, JSON.stringify({ dead_letters: groups, newest: letters }), headers);
    },
  };
}
