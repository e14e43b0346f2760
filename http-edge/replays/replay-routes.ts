import { TelltaleError } from '../../runtime/errors.js';
import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { parseJson } from '../../runtime/http/json-body.js';
import { Problem, retryAfter } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import { isUnderWay } from '../../runtime/replays/request-replay.js';
import type { ReplayState } from '../../runtime/replays/replay-log.js';
import { progressOf } from '../../runtime/replays/replay-progress.js';
import type { Gate } from '../http/admission.js';
import type { Replays } from '../ports.js';
import { replaysPath } from '../routes.js';
import { installationWorkspace } from '../installation-workspace.js';
import { replayRequestOf, type ReplayRequest } from './replay-request.js';

export interface ReplayRoutesDependencies {
  readonly replays: Replays;
  readonly admission: Gate;
  readonly bodyLimit: number;
}

/** The most replays of a workspace that have not ended: each process does one after another. */
const mostUnderWay = 20;

/**
 * Lists the replays of the key's workspace, and starts new ones of its texts, for a key with the scope
 * `admin`. In the installation's workspace, also those of tables.
 */
export function replayRoutes({ replays, admission, bodyLimit }: ReplayRoutesDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      pattern: replaysPath,
      handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        const listed = [...replays.list(key.workspace)].sort((a, b) => b.created_at - a.created_at);
        exchange.json(200, JSON.stringify({ replays: listed.map(viewOf) }), headers);
      },
    },
    {
      method: 'POST',
      pattern: replaysPath,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        const request = await readRequest(exchange, bodyLimit, key.workspace, replays.sinks);
        if (replays.list(key.workspace).filter(isUnderWay).length >= mostUnderWay)
          throw new Problem(
            'overloaded',
            `${mostUnderWay} replays of this workspace have not ended. Ask again when one has.`,
            { headers: retryAfter(60) },
          );
        exchange.json(202, JSON.stringify(viewOf(await ask(replays, request))), headers);
      },
    },
  ];
}

const viewOf = (replay: ReplayState) => ({
  ...progressOf(replay),
  created_at: new Date(replay.created_at / 1_000).toISOString(),
});

async function ask(replays: Replays, request: ReplayRequest): Promise<ReplayState> {
  try {
    return await replays.ask(request);
  } catch (error) {
    if (!(error instanceof TelltaleError) || error.code !== 'REPLAY_DIFFERENT') throw error;
    throw new Problem(
      'conflict',
      'Another replay of this table has not ended. Ask for the same bounds, or cancel it with `telltale replays cancel`.',
    );
  }
}

async function readRequest(
  exchange: Exchange,
  bodyLimit: number,
  workspace: string,
  sinks: Replays['sinks'],
): Promise<ReplayRequest> {
  checkBodyHeaders(exchange, bodyLimit);
  const body = parseJson(await readBody(exchange, bodyLimit));
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem('invalid', 'The body must be a JSON object with `kind`.', {
      errors: [{ pointer: '', detail: 'The body must be a JSON object.' }],
    });
  const request = replayRequestOf(body as Readonly<Record<string, unknown>>, workspace, sinks);
  if (!('request' in request))
    throw new Problem('invalid', request.map(({ detail }) => detail).join(' '), { errors: request });
  if (request.kind === 'table' && workspace !== installationWorkspace)
    throw new Problem(
      'forbidden',
      `A table has rows of every workspace: only an admin of the workspace \`${installationWorkspace}\` may have it rebuilt.`,
    );
  return request;
}
