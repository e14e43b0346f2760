import { z } from 'zod';
import { commaList, port, positiveInteger } from '../runtime/config.js';
import { clientAddressBehind } from '../runtime/http/client-address.js';

/** The settings of the edge. Limits apply to each request. The name of a duration ends with its unit. */
export const edgeConfig = z.object({
  EDGE_HOST: z.string().default('127.0.0.1').describe('Address that the edge listens on.'),
  EDGE_PORT: port(8080).describe('Port that the edge listens on; 0 takes a free one.'),
  EDGE_TLS_CERTIFICATE_FILE: z
    .string()
    .default('')
    .describe(
      'PEM file of the edge’s certificate with its intermediates; if set, EDGE_PORT serves only HTTPS. Read again when it changes, like the next one.',
    ),
  EDGE_TLS_KEY_FILE: z.string().default('').describe('PEM file of its key, without a passphrase.'),
  EDGE_TRUSTED_PROXIES: commaList('')
    .refine(areAddresses, 'not all of them are an IP address or a network like 10.0.0.0/8')
    .describe(
      'Comma-separated addresses or networks (CIDR) of load balancers in front, whose X-Forwarded-For is trusted: failed sign-ins are then counted by the client’s address. Unset: by that of the connection.',
    ),
  EDGE_METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe(
      'A separate port for `/metrics`, with `/livez` and `/readyz`; EDGE_PORT then has no `/metrics`. Unset: EDGE_PORT serves it to clients with METRICS_TOKEN or, if that is unset, only to programs on this machine.',
    ),
  EDGE_METRICS_HOST: z.string().default('127.0.0.1').describe('Address of that port.'),
  EDGE_BODY_LIMIT_BYTES: positiveInteger(1024 * 1024).describe(
    'Largest request body, before and after decompression.',
  ),
  EDGE_BATCH_LIMIT_BYTES: positiveInteger(4 * 1024 * 1024).describe(
    'Largest batch of tasks, before and after decompression.',
  ),
  EDGE_AGENT_BODY_LIMIT_BYTES: positiveInteger(16 * 1024 * 1024).describe(
    'Largest batch of an agent, before and after decompression.',
  ),
  EDGE_BUFFER_BYTES: positiveInteger(128 * 1024 * 1024).describe(
    'Most memory for the bodies of all requests in flight, at least four of the largest. A key may hold no more than it leaves free, and all keys of a workspace twice that. Above that: 429.',
  ),
  EDGE_REQUESTS_IN_FLIGHT: positiveInteger(1_024).describe(
    'Most requests with tasks, calls, events or batches in progress at once. A key may have no more than it leaves free, and all keys of a workspace twice that. Above that they wait for a second, then get 429.',
  ),
  EDGE_TEXT_LIMIT_CHARACTERS: positiveInteger(100_000).describe(
    'Longest `prompt` and `response`, in Unicode code points.',
  ),
  EDGE_REALTIME_DEADLINE_SECONDS: positiveInteger(30).describe(
    'How long a real-time call waits for its result; `Prefer: wait=` may ask for less.',
  ),
  EDGE_HEADERS_TIMEOUT_MS: positiveInteger(10_000).describe('Time within which the headers must arrive.'),
  EDGE_REQUEST_TIMEOUT_MS: positiveInteger(30_000).describe(
    'Time within which the whole request must arrive.',
  ),
  EDGE_KEEP_ALIVE_MS: positiveInteger(75_000).describe(
    'How long an idle connection stays open; more than the idle time-out of a load balancer in front.',
  ),
  EDGE_MAX_HEADER_BYTES: positiveInteger(16 * 1024).describe('Largest size of all headers of a request.'),
  EDGE_MAX_CONNECTIONS: positiveInteger(10_000).describe('Connections over this number are closed at once.'),
  EDGE_RATE_LIMIT_PER_SECOND: z.coerce
    .number()
    .min(0)
    .default(0)
    .describe(
      'Requests that a key, or a session of the dashboard, may make per second, on each edge; 0 switches the limit off.',
    ),
  EDGE_RATE_LIMIT_BURST: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Requests that a key or a session may make at once; 0 means as many as in one second.'),
  EDGE_SESSION_IDLE_MINUTES: positiveInteger(120).describe(
    'How long a session of the dashboard lasts without being used.',
  ),
  EDGE_SESSION_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(24)
    .default(12)
    .describe('How long a session of the dashboard lasts at most; 24 at most.'),
  EDGE_DRAIN_TIMEOUT_MS: positiveInteger(8_000).describe(
    'How long a stopping edge waits for requests in flight; those still unfinished then get 503. Allow it some seconds more before you kill it.',
  ),
});

export type EdgeConfig = z.output<typeof edgeConfig>;

function areAddresses(proxies: readonly string[]): boolean {
  try {
    clientAddressBehind(proxies);
    return true;
  } catch {
    return false;
  }
}
