import { murmur2 } from '../../runtime/kafka/protocol/produce-request.js';

/** For rendezvous hashing: the edge with the highest weight for an item owns it. */
export function edgeWeight(item: number, url: string): number {
  return murmur2(Buffer.from(`${item} ${url}`)) >>> 0;
}
