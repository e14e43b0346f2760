import { z } from 'zod';
import { port, positiveInteger } from '../../../runtime/config.js';
import { secret } from '../../../runtime/secret.js';

/** It is sent as a bearer token, which ends at a space. */
const wellFormedSecret = /^[\x21-\x7e]{32,}$/;

/** Whether edges share the statuses of tasks, and how they reach each other. */
export const shardingConfig = z
  .object({
    STATUS_VIEW: z
      .enum(['whole', 'sharded'])
      .default('whole')
      .describe(
        '`whole`: every edge keeps the status of every task. `sharded`: edges share them, and ask each other (docs/scaling.md); the same on all edges.',
      ),
    STATUS_VIEW_COPIES: positiveInteger(1).describe(
      'How many edges keep each status, if they share them; one of them keeps its result. With 2, every status stays available while an edge is replaced.',
    ),
    EDGE_PEER_HOST: z.string().default('127.0.0.1').describe('Address on which an edge answers other edges.'),
    EDGE_PEER_PORT: port(8079).describe('Its port, which only edges need to reach.'),
    EDGE_PEER_URL: z
      .string()
      .default('')
      .describe(
        'URL at which other edges reach that port, such as `http://10.0.0.7:8079`; a different one for each edge: if two have the same, the older one ends with GROUP_INSTANCE_TAKEN. Edges that have one divide agents’ batches and requests with an Idempotency-Key among themselves (docs/scaling.md).',
      ),
    EDGE_PEER_SECRET: secret(
      'Secret by which edges recognise each other, at least 32 characters without spaces; the same on all edges. Needed with EDGE_PEER_URL.',
    ),
    EDGE_PEER_TLS_CA_FILE: z
      .string()
      .default('')
      .describe(
        'PEM file of the authority that signs the certificates of edges; unset: the authorities that Node.js knows. With EDGE_TLS_CERTIFICATE_FILE, the peer port speaks HTTPS too. Read again when it changes.',
      ),
  })
  .superRefine((config, context) => {
    if (config.STATUS_VIEW !== 'sharded' && config.EDGE_PEER_URL === '') return;
    const issue = (name: keyof typeof config, message: string): void =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (!isOrigin(config.EDGE_PEER_URL))
      issue('EDGE_PEER_URL', 'must be the URL, without a path, at which other edges reach this one');
    if (!wellFormedSecret.test(config.EDGE_PEER_SECRET))
      issue(
        'EDGE_PEER_SECRET',
        'must be at least 32 characters, none of them a space, the same on all edges (openssl rand -hex 32)',
      );
  });

export type ShardingConfig = z.output<typeof shardingConfig>;

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, href } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && href === `${origin}/`;
}
