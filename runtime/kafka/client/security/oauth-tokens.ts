import { z } from 'zod';
import { reasonOf, TelltaleError } from '../../../errors.js';
import type { Logger } from '../../../logging.js';

interface OAuthClient {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Empty: no scope is requested. */
  readonly scope: string;
}

const answerMs = 5_000;
/** kafkajs authenticates again ten seconds before a session ends, with the token that it gets then. */
const reauthenticationMs = 15_000;
const renewAfter = 0.8;

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(300),
});

/**
 * Access tokens by client credentials (RFC 6749, 4.4). A token is requested when it is needed, and shared by all
 * connections until most of its lifetime has passed. While the endpoint is away, the last one is used until it expires.
 * Rejects with KAFKA_TOKEN_REFUSED.
 */
export function oauthTokens(
  client: OAuthClient,
  logger: Logger,
  now: () => number = Date.now,
): () => Promise<string> {
  let last: Token | undefined;
  let asking: Promise<Token> | undefined;

  const renewed = async (): Promise<Token> => {
    asking ??= askForToken(client, now).finally(() => (asking = undefined));
    return asking;
  };
  return async () => {
    const held = last;
    if (held !== undefined && now() < held.renewAt) return held.value;
    try {
      last = await renewed();
      return last.value;
    } catch (error) {
      if (held === undefined || now() >= held.expiresAt) throw error;
      logger.warn(
        { event: 'kafka-token-not-renewed', reason: reasonOf(error) },
        'the token for Kafka can not be renewed yet; the last one still serves',
      );
      return held.value;
    }
  };
}

interface Token {
  readonly value: string;
  readonly renewAt: number;
  readonly expiresAt: number;
}

async function askForToken(
  { url, clientId, clientSecret, scope }: OAuthClient,
  now: () => number,
): Promise<Token> {
  const asked = now();
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: basic(clientId, clientSecret), accept: 'application/json' },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === '' ? {} : { scope }) }),
      signal: AbortSignal.timeout(answerMs),
      // The secret is sent to the configured endpoint, and nowhere else.
      redirect: 'error',
    });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    const { access_token: value, expires_in: seconds } = tokenAnswer.parse(await answer.json());
    const lifetime = seconds * 1_000;
    const renewAt = asked + Math.min(lifetime * renewAfter, Math.max(0, lifetime - reauthenticationMs));
    return { value, renewAt, expiresAt: asked + lifetime };
  } catch (cause) {
    throw new TelltaleError('KAFKA_TOKEN_REFUSED', { url, reason: reasonOf(cause) }, { cause });
  }
}

/** RFC 6749, 2.3.1: both parts are form-encoded before they are joined. */
function basic(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((part) =>
    new URLSearchParams({ '': part }).toString().slice(1),
  );
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}
