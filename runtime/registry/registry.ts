import { readFileSync } from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet, type Agent } from 'node:https';
import { text } from 'node:stream/consumers';
import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import type { RegistryConfig } from '../kafka/client/config.js';
import { TelltaleError, reasonOf } from '../errors.js';
import { silentLogger } from '../logging.js';
import { reloadingAgent } from '../tls/reloading-agent.js';

/**
 * The part of a Confluent-compatible schema registry that Telltale uses. Every method rejects with
 * REGISTRY_UNREACHABLE in an outage: every answer that is not definitely the registry's own counts as one.
 */
export interface Registry {
  /**
   * Registers a schema under a subject with FULL_TRANSITIVE; the same schema gets the same id. Throws
   * SCHEMA_INCOMPATIBLE.
   */
  register(subject: string, avsc: string): Promise<number>;
  /** The id of exactly this schema under the subject; SCHEMA_MISSING if it was never registered. */
  idOf(subject: string, avsc: string): Promise<number>;
  /** The schema text with this id, or undefined if the registry says that it has none. */
  schemaOf(id: number): Promise<string | undefined>;
}

/** The text of `schemas/avro/<name>.avsc`. */
export function readSchema(name: string): string {
  return readFileSync(new URL(`../../schemas/avro/${name}.avsc`, import.meta.url), 'utf8');
}

/** Confluent's error code for a schema id that does not exist; a 404 without it comes from a proxy. */
const schemaNotFound = 40403;
const answerMs = 5_000;

/** Throws TLS_FILES_INVALID. */
export function connectRegistry(
  config: RegistryConfig,
  { retries = 3, logger = silentLogger } = {},
): Registry {
  const { SCHEMA_REGISTRY_URL: url } = config;
  const headers = authorizationOf(config);
  const agent = url.startsWith('https:')
    ? reloadingAgent({ ca: config.SCHEMA_REGISTRY_TLS_CA_FILE ?? '' }, logger, { keepAlive: true })
    : undefined;
  const client = new SchemaRegistry({
    host: url,
    retry: { retries, maxRetryTimeInSecs: 2 },
    middlewares: [withHeaders(headers)],
    ...(agent !== undefined && { agent }),
  });
  const unreachable = (cause: unknown): TelltaleError =>
    new TelltaleError('REGISTRY_UNREACHABLE', { url, reason: reasonOf(cause) }, { cause });

  return {
    async register(subject, avsc) {
      try {
        const schema = { type: SchemaType.AVRO as const, schema: avsc };
        const { id } = await client.register(schema, {
          subject,
          compatibility: COMPATIBILITY.FULL_TRANSITIVE,
        });
        return id;
      } catch (cause) {
        if (!isRefusal(cause)) throw unreachable(cause);
        throw new TelltaleError('SCHEMA_INCOMPATIBLE', { subject, reason: reasonOf(cause) }, { cause });
      }
    },
    async idOf(subject, avsc) {
      try {
        return await client.getRegistryIdBySchema(subject, { type: SchemaType.AVRO, schema: avsc });
      } catch (cause) {
        // The client throws an error of its own for a 404 of the registry.
        if (nameOf(cause) !== 'ConfluentSchemaRegistryError') throw unreachable(cause);
        throw new TelltaleError('SCHEMA_MISSING', { subject }, { cause });
      }
    },
    async schemaOf(id) {
      try {
        const { status, said } = await get(`${url}/schemas/ids/${id}`, { headers, agent });
        const body = JSON.parse(said) as { schema?: string; error_code?: number };
        if (status === 200 && typeof body.schema === 'string') return body.schema;
        if (status === 404 && body.error_code === schemaNotFound) return undefined;
        throw new Error(`HTTP ${status}`);
      } catch (cause) {
        throw unreachable(cause);
      }
    },
  };
}

function authorizationOf({
  SCHEMA_REGISTRY_USER: username,
  SCHEMA_REGISTRY_PASSWORD: password,
  SCHEMA_REGISTRY_TOKEN: token = '',
}: RegistryConfig): Readonly<Record<string, string>> {
  if (token !== '') return { authorization: `Bearer ${token}` };
  if (username === '') return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

type Middleware = NonNullable<ConstructorParameters<typeof SchemaRegistry>[0]['middlewares']>[number];

function withHeaders(headers: Readonly<Record<string, string>>): Middleware {
  return () => ({ prepareRequest: async (next) => (await next()).enhance({ headers }) });
}

interface Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Agent | undefined;
}

/** Not fetch, because it accepts no agent. */
function get(url: string, { headers, agent }: Asked): Promise<{ status: number; said: string }> {
  const options = { headers, agent, signal: AbortSignal.timeout(answerMs) };
  return new Promise((resolve, reject) => {
    const take = (answer: IncomingMessage): void => {
      text(answer).then((said) => resolve({ status: answer.statusCode ?? 0, said }), reject);
    };
    const asked = agent === undefined ? httpGet(url, options, take) : httpsGet(url, options, take);
    asked.once('error', reject);
  });
}

/**
 * The client gives a refused connection the status 400, so only errors that a registry alone returns count.
 */
function isRefusal(error: unknown): boolean {
  const { status } = error as { status?: unknown };
  return status === 409 || status === 422 || nameOf(error) === 'ConfluentSchemaRegistryCompatibilityError';
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
