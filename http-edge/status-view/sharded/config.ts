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
      'On how many edges each status is, where they are shared, and its result on one of them; with 2, none is away while an edge is replaced.',
    ),
    EDGE_PEER_HOST: z.string().default('127.0.0.1').describe('Address on which an edge answers others.'),
    EDGE_PEER_PORT: port(8079).describe('Its port, which only edges need to reach.'),
    EDGE_PEER_URL: z
      .string()
      .default('')
      .describe(
        'Where other edges reach that port, as in `http://10.0.0.7:8079`; another one for each edge: of two with the same, the older ends with GROUP_INSTANCE_TAKEN. Edges that have one share out what comes under an Idempotency-Key, and agents’ batches (docs/scaling.md).',
      ),
    EDGE_PEER_SECRET: secret(
      'What edges know each other by, at least 32 characters without spaces; the same on all edges. Needed with EDGE_PEER_URL.',
    ),
    EDGE_PEER_TLS_CA_FILE: z
      .string()
      .default('')
      .describe(
        'PEM file of the authority that signs the certificates of edges; unset: those that Node.js knows. With EDGE_TLS_CERTIFICATE_FILE the port of peers speaks HTTPS too. Read again when it changes.',
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
