import { murmur2 } from '../../runtime/kafka/protocol/produce-request.js';

/** For rendezvous hashing: of several edges, the one that weighs most for an item has it. */
export function edgeWeight(item: number, url: string): number {
  return murmur2(Buffer.from(`${item} ${url}`)) >>> 0;
}
