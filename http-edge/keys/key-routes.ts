import { TelltaleError } from '../../runtime/errors.js';
import type { Gate } from '../http/admission.js';
import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { parseJson } from '../../runtime/http/json-body.js';
import { Problem } from '../../runtime/http/problem.js';
import type { AccessKeys } from '../ports.js';
import type { Route } from '../../runtime/http/route.js';
import { keysPath } from '../routes.js';
import { createKey, keyOf, revokeKey, rotateKey, type IssuedKey } from './key-store.js';
import type { KeyUses } from './key-uses.js';
import { viewOf, viewsOf, type KeyView } from './key-view.js';
import { keyRequestOf, type KeyRequest } from './key-request.js';

export interface KeyRoutesDependencies {
  readonly accessKeys: AccessKeys;
  readonly uses: KeyUses;
  readonly admission: Gate;
  readonly bodyLimit: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const keyPattern = `${keysPath}/{key_id}`;

/** The keys of the asking key's own workspace, for a key with the scope `admin`. */
export function keyRoutes({
  accessKeys,
  uses,
  admission,
  bodyLimit,
  clock,
}: KeyRoutesDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      pattern: keysPath,
      handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        exchange.json(
          200,
          JSON.stringify({ keys: viewsOf(accessKeys.list(key.workspace), clock(), uses) }),
          headers,
        );
      },
    },
    {
      method: 'POST',
      pattern: keysPath,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        const request = await readKeyRequest(exchange, bodyLimit, clock());
        const issued = await createKey(accessKeys, key.workspace, request, clock()).catch(rethrow);
        answerIssued(exchange, 201, issued, viewOf(issued.key, clock(), uses), headers);
      },
    },
    {
      method: 'GET',
      pattern: keyPattern,
      handle(exchange, { key_id: id = '' }) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        const found = orProblem(() => keyOf(accessKeys, id, key.workspace));
        exchange.json(200, JSON.stringify(viewOf(found, clock(), uses)), headers);
      },
    },
    {
      method: 'DELETE',
      pattern: keyPattern,
      async handle(exchange, { key_id: id = '' }) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        await revokeKey(accessKeys, id, key.workspace, clock()).catch(rethrow);
        exchange.answer(204, '', '', headers);
      },
    },
    {
      method: 'POST',
      pattern: `${keyPattern}/rotate`,
      async handle(exchange, { key_id: id = '' }) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        const issued = await rotateKey(accessKeys, id, key.workspace, clock()).catch(rethrow);
        await admission.keepAfterRotation?.(exchange, issued.key);
        answerIssued(exchange, 200, issued, viewOf(issued.key, clock(), uses), headers);
      },
    },
  ];
}

async function readKeyRequest(exchange: Exchange, bodyLimit: number, nowMs: number): Promise<KeyRequest> {
  checkBodyHeaders(exchange, bodyLimit);
  const body = parseJson(await readBody(exchange, bodyLimit));
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem('invalid', 'The body must be a JSON object with `name` and `scopes`.', {
      errors: [{ pointer: '', detail: 'The body must be a JSON object.' }],
    });
  const request = keyRequestOf(body, nowMs);
  if ('name' in request) return request;
  throw new Problem('invalid', request.map(({ detail }) => detail).join(' '), { errors: request });
}

function answerIssued(
  exchange: Exchange,
  status: number,
  { key, token }: IssuedKey,
  view: KeyView,
  headers: readonly string[],
): void {
  const body = JSON.stringify({ key: token, ...view });
  exchange.json(status, body, [
    ...(status === 201 ? ['location', `${keysPath}/${key.key_id}`] : []),
    ...headers,
  ]);
}

function orProblem<Value>(find: () => Value): Value {
  try {
    return find();
  } catch (error) {
    return rethrow(error);
  }
}

function rethrow(error: unknown): never {
  if (error instanceof TelltaleError && error.code === 'KEY_UNKNOWN')
    throw new Problem('not-found', 'There is no such key in this workspace.');
  if (error instanceof TelltaleError && error.code === 'KEY_ENDED')
    throw new Problem('conflict', 'The key was revoked or has expired. Make a new one.');
  if (error instanceof TelltaleError && error.code === 'KEYS_FULL')
    throw new Problem('conflict', error.message);
  throw error;
}
