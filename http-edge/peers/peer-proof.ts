import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Logger } from '../../runtime/logging.js';
import type { ShardingConfig } from '../status-view/sharded/config.js';

/**
 * An edge's name in a group. Kafka allows letters, digits and `._-`. The digest distinguishes addresses that
 * differ only in other characters.
 */
export function memberNameOf(url: string): string {
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 8);
  return `${url.replace(/[^\w.-]+/g, '-').slice(0, 200)}-${digest}`;
}

/** The other members of a group that know the secret, with their addresses. */
export function provenMembers<Member extends { readonly about: string }>(
  members: readonly Member[],
  {
    EDGE_PEER_URL: ownUrl,
    EDGE_PEER_SECRET: secret,
  }: Pick<ShardingConfig, 'EDGE_PEER_URL' | 'EDGE_PEER_SECRET'>,
  logger: Logger,
): readonly (Member & { readonly url: string })[] {
  const proven = members.flatMap((member) => {
    const url = provenUrl(member.about, secret);
    return url === undefined ? [] : [{ ...member, url }];
  });
  const unproven = members.length - proven.length;
  if (unproven > 0)
    logger.warn(
      { event: 'peer-unproven', members: unproven },
      'a member of the group does not know EDGE_PEER_SECRET and is not asked',
    );
  return proven.filter(({ url }) => url !== ownUrl);
}

/**
 * What an edge tells the group about itself. Anybody who may join the group in Kafka could claim anything.
 * The proof shows that the address comes from an edge that knows the secret. So no other address is asked, or
 * gets the secret.
 */
export function introduce(url: string, secret: string): string {
  return JSON.stringify({ url, proof: proofOf(url, secret).toString('base64url') });
}

/** The address, or undefined if it is not proven. */
export function provenUrl(about: string, secret: string): string | undefined {
  try {
    const { url, proof } = JSON.parse(about) as Partial<Record<'url' | 'proof', unknown>>;
    if (typeof url !== 'string' || typeof proof !== 'string') return undefined;
    const shown = Buffer.from(proof, 'base64url');
    const right = proofOf(url, secret);
    return shown.length === right.length && timingSafeEqual(shown, right) ? url : undefined;
  } catch {
    return undefined;
  }
}

function proofOf(url: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`telltale edge ${url}`).digest();
}
