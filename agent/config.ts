import { z } from 'zod';
import { commaList, port, positiveInteger } from '../runtime/config.js';
import { secret } from '../runtime/secret.js';

const mebibyte = 1024 * 1024;

function isBareAddress(text: string): boolean {
  if (!URL.canParse(text)) return true; // another check reports this
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === '';
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** The settings of the agent, as environment variables; agent.json has the same in camelCase without `AGENT_`. */
export const agentConfig = z.object({
  AGENT_CONFIG_FILE: z
    .string()
    .default('agent.json')
    .describe(
      'JSON file of these settings, under their names in camelCase without `AGENT_`; re-read when it changes.',
    ),
  AGENT_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the agent listens on; on any other than loopback, set a token.'),
  AGENT_PORT: port(3774).describe('Port that the agent listens on; 0 takes a free one.'),
  AGENT_TLS_CERTIFICATE_FILE: z
    .string()
    .default('')
    .describe(
      'PEM file of the agent’s certificate with its intermediates; if set, AGENT_PORT serves only HTTPS. Re-read when it changes, like the next one.',
    ),
  AGENT_TLS_KEY_FILE: z.string().default('').describe('PEM file of its key, without a passphrase.'),
  AGENT_ALLOWED_HOSTS: commaList('')
    .transform((names) => names.map((name) => name.toLowerCase()))
    .describe(
      'Comma-separated host names (without port) under which clients may call the agent; loopback, its own address and the host name of the machine always work, any other name is refused.',
    ),
  AGENT_ALLOWED_ORIGINS: commaList('')
    .refine(
      (origins) => origins.every(isOrigin),
      'must be origins as browsers send them, as in https://shop.example.com',
    )
    .describe('Comma-separated origins of web pages that may send to the agent; all others are refused.'),
  AGENT_TOKEN: secret(
    'If set, every request except /livez and /readyz needs `Authorization: Bearer <token>`.',
  ),
  AGENT_SERVER_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL, as in https://telltale.example.org' })
    .refine(isBareAddress, 'must have no user, password or query, because logs contain it: set AGENT_API_KEY')
    .default('http://127.0.0.1:8080')
    .describe('Address of the HTTP edge that everything is sent to.'),
  AGENT_API_KEY: secret('API key of scope `agent`. Without one everything stays in the spool.'),
  AGENT_FOLDER: z
    .string()
    .default('.telltale/data/agent')
    .describe('Folder of the spool and of the quarantine; each agent has its own.'),
  AGENT_SPOOL_BYTES: positiveInteger(1024 * mebibyte).describe(
    'Largest size of the spool on disk; when it is full, clients get 503 and collectors count a gap.',
  ),
  AGENT_BATCH_BYTES: positiveInteger(mebibyte).describe('Largest batch in bytes, before compression.'),
  AGENT_BATCH_ITEMS: positiveInteger(5_000).describe('Most items per batch.'),
  AGENT_SEND_EVERY_MS: positiveInteger(200).describe(
    'How long a small batch waits for more items; the first one after a pause never waits.',
  ),
  AGENT_BODY_LIMIT_BYTES: positiveInteger(16 * mebibyte).describe(
    'Largest request body, before and after decompression.',
  ),
  AGENT_BUFFER_BYTES: positiveInteger(64 * mebibyte).describe(
    'Most memory for the bodies of requests in flight; at least twice the largest body; beyond it clients get 503.',
  ),
  AGENT_INTEGRATION_FILE: z
    .string()
    .default('integration.json')
    .describe('File that names the search clusters to watch; re-read when it changes.'),
  AGENT_DRAIN_TIMEOUT_MS: positiveInteger(5_000).describe(
    'How long a stopping agent waits for requests in flight.',
  ),
});

export type AgentConfig = z.output<typeof agentConfig>;
