import { z } from 'zod';
import { Problem } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import type { Gate } from '../http/admission.js';
import { checkedBody } from '../http/checked-body.js';
import { installationWorkspace } from '../installation-workspace.js';
import type { DeadLetters } from '../ports.js';
import { deadLettersPath } from '../routes.js';

export interface DeadLetterRoutesDependencies {
  readonly deadLetters: DeadLetters;
  readonly admission: Gate;
  readonly bodyLimit: number;
}

const reason = z.string().max(500).nullish();
const name = z.string().min(1).max(200);
const absent = z.undefined().optional();
const replayRequest = z.union([
  z.object({ ids: z.array(name).min(1).max(100), stage: absent, code: absent, reason }),
  z.object({ stage: name, code: name, ids: absent, reason }),
]);

/**
 * Counts dead letters by stage and code, lists the newest with their reasons, and sends them back. A record
 * that nobody can read belongs to no workspace. So only an admin of the installation sees single letters and
 * sends letters back. Only the CLI shows the content of the records.
 */
export function deadLetterRoutes({
  deadLetters,
  admission,
  bodyLimit,
}: DeadLetterRoutesDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      pattern: deadLettersPath,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        const { groups, newest } = await deadLetters.read();
        const letters = key.workspace === installationWorkspace ? newest : null;
        exchange.json(200, JSON.stringify({ dead_letters: groups, newest: letters }), headers);
      },
    },
    {
      method: 'POST',
      pattern: `${deadLettersPath}/replay`,
      async handle(exchange) {
        const { key, who, headers } = admission.admit(exchange, ['admin']);
        const wanted = await checkedBody(
          exchange,
          bodyLimit,
          replayRequest,
          'The body must have either `ids`, a list of up to 100, or `stage` and `code`; and may have a `reason` of up to 500 characters.',
        );
        if (key.workspace !== installationWorkspace)
          throw new Problem(
            'forbidden',
            `Dead letters can belong to any workspace: only an admin of the workspace \`${installationWorkspace}\` may send them back.`,
          );
        const filter =
          'ids' in wanted ? { ids: new Set(wanted.ids) } : { stage: wanted.stage, code: wanted.code };
        const by = { reason: wanted.reason?.toWellFormed() ?? null, decided_by: who };
        const { done, left, before, unknown } = await deadLetters.replay(filter, by);
        // Letters that were decided before matter only to callers who named them.
        const decided = 'ids' in wanted ? before.map(({ id }) => id) : [];
        exchange.json(
          200,
          JSON.stringify({ replayed: done, left, decided_before: decided, unknown }),
          headers,
        );
      },
    },
  ];
}
