import { z } from 'zod';
import type { Exchange } from '../../../runtime/http/exchange.js';
import { problemOf } from '../../../runtime/http/failures.js';
import { Problem } from '../../../runtime/http/problem.js';
import type { Route } from '../../../runtime/http/route.js';
import type { Logger } from '../../../runtime/logging.js';
import { escaped, htmlMediaType, page, pageHeaders } from '../../pages/html.js';
import { uiPath } from '../../routes.js';
import type { FailedAttempts } from '../failed-attempts.js';
import type { SessionBook } from '../session-book.js';
import {
  attemptCookie,
  noAttemptCookie,
  signInAttemptOf,
  sessionCookie,
  tokenOf,
} from '../session-cookie.js';
import { grantFor } from './grants.js';
import type { OidcSignIn } from './oidc-sign-in.js';
import { returnPathOf } from './return-path.js';

export interface OidcRoutesDependencies {
  /** Undefined if no provider is configured. */
  readonly signIn: OidcSignIn | undefined;
  readonly book: SessionBook;
  readonly attempts: FailedAttempts;
  readonly logger: Logger;
}

/** `to`: the page that was asked for. */
const attemptShape = z.object({
  ...{ state: z.string(), nonce: z.string(), codeVerifier: z.string() },
  to: z.string().default(uiPath).transform(returnPathOf),
});

/** Redirects to the provider, takes the callback, and says whether a provider is configured. */
export function oidcRoutes({ signIn, book, attempts, logger }: OidcRoutesDependencies): readonly Route[] {
  const offered: Route = {
    method: 'GET',
    pattern: `${uiPath}api/sign-in`,
    handle: (exchange) =>
      exchange.json(200, JSON.stringify({ identity_provider: signIn?.provider.name ?? null })),
  };
  if (signIn === undefined) return [offered];
  return [
    offered,
    {
      method: 'GET',
      pattern: `${uiPath}api/oidc/sign-in`,
      handle: (exchange) =>
        orRefuse(exchange, logger, async () => {
          const { url, attempt } = await signIn.provider.begin();
          const to = returnPathOf(new URLSearchParams(queryOf(exchange)).get('to'));
          redirect(exchange, url, ['set-cookie', attemptCookie(JSON.stringify({ ...attempt, to }))]);
        }),
    },
    {
      method: 'GET',
      pattern: `${uiPath}api/oidc/callback`,
      handle: (exchange) =>
        orRefuse(exchange, logger, async () => {
          const { issued, to } = await attempts.count(exchange.request, () => begin(exchange, signIn, book));
          await book.endReplaced(tokenOf(exchange.request.headers.cookie));
          redirect(exchange, to, [
            ...['set-cookie', sessionCookie(issued)],
            ...['set-cookie', noAttemptCookie],
          ]);
        }),
    },
  ];
}

async function begin(exchange: Exchange, { provider, claim, grants }: OidcSignIn, book: SessionBook) {
  const { to, ...attempt } = attemptOf(exchange);
  const claims = await provider.finish(queryOf(exchange), attempt);
  const grant = grantFor(grants, claims[claim]);
  if (grant === undefined)
    throw new Problem(
      'forbidden',
      `You are known to ${provider.name}, but the claim "${claim}" grants you no access here. Ask to join a group that OIDC_GRANTS names.`,
    );
  const { role, workspace } = grant;
  const issued = await book.beginFor({ workspace, role, key_id: null, subject: nameOf(claims) });
  return { issued, to };
}

/** The attempt that this browser started. A callback for another browser's attempt is refused. */
function attemptOf({ request }: Exchange): z.output<typeof attemptShape> {
  const cookie = signInAttemptOf(request.headers.cookie);
  const parsed = attemptShape.safeParse(cookie === undefined ? undefined : jsonOf(cookie));
  if (!parsed.success)
    throw new Problem(
      'unauthorized',
      'This browser has no sign-in in progress, or it started more than ten minutes ago.',
    );
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nameOf(claims: Readonly<Record<string, unknown>>): string | null {
  const names = [claims['email'], claims['preferred_username'], claims['name'], claims['sub']];
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? null;
}

function queryOf({ request }: Exchange): string {
  const url = request.url ?? '';
  return url.includes('?') ? url.slice(url.indexOf('?')) : '';
}

function redirect(exchange: Exchange, location: string, headers: readonly string[]): void {
  exchange.answer(303, htmlMediaType, '', ['location', location, ...headers]);
}

/** Answers problems as a page, because a person reads them. */
async function orRefuse(exchange: Exchange, logger: Logger, answer: () => Promise<void>): Promise<void> {
  try {
    await answer();
  } catch (error) {
    const { status, message, headers, kind } = problemOf(error);
    logger.warn(
      {
        event: 'sign-in-failed',
        request_id: exchange.requestId,
        reason: message,
        ...(kind === 'internal' && { err: error }),
      },
      'a sign-in by OpenID Connect failed',
    );
    const body = `<h1>Not signed in</h1><p>${escaped(message)}</p><p><a href="${uiPath}">Back to sign-in</a></p>`;
    exchange.answer(status, htmlMediaType, page('Telltale: not signed in', body), [
      ...pageHeaders,
      ...headers,
      ...['set-cookie', noAttemptCookie],
    ]);
  }
}
