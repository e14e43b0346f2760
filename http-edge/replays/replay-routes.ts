import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { parseJson } from '../../runtime/http/json-body.js';
import { Problem } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import type { ReplayState } from '../../runtime/replays/replay-log.js';
import { progressOf } from '../../runtime/replays/replay-progress.js';
import type { Gate } from '../http/admission.js';
import type { Replays } from '../ports.js';
import { replaysPath } from '../routes.js';
import { replayWishOf, type ReplayWish } from './replay-wish.js';

export interface ReplayRoutesDependencies {
  readonly replays: Replays;
  readonly admission: Gate;
  readonly bodyLimit: number;
}

/** The replays of the key's workspace, and new ones of its texts, for a key with the scope `admin`. */
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
        const { wish, rate } = await readWish(exchange, bodyLimit, key.workspace);
        exchange.json(202, JSON.stringify(viewOf(await replays.ask(wish, rate))), headers);
      },
    },
  ];
}

const viewOf = (replay: ReplayState) => ({
  ...progressOf(replay),
  created_at: new Date(replay.created_at / 1_000).toISOString(),
});

async function readWish(exchange: Exchange, bodyLimit: number, workspace: string): Promise<ReplayWish> {
  checkBodyHeaders(exchange, bodyLimit);
  const body = parseJson(await readBody(exchange, bodyLimit));
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem('invalid', 'The body must be a JSON object with `kind` and `metric`.', {
      errors: [{ pointer: '', detail: 'The body must be a JSON object.' }],
    });
  const wish = replayWishOf(body as Readonly<Record<string, unknown>>, workspace);
  if ('wish' in wish) return wish;
  throw new Problem('invalid', wish.map(({ detail }) => detail).join(' '), { errors: wish });
}
