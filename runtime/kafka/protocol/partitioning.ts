/** Kafka's murmur2 (32 bits), as the Java client and kafkajs's default partitioner compute it. */
export function murmur2(data: Buffer): number {
  const m = 0x5bd1e995;
  let hash = 0x9747b28c ^ data.length;
  const whole = data.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    let k = Math.imul(data.readInt32LE(at), m);
    k ^= k >>> 24;
    hash = Math.imul(hash, m) ^ Math.imul(k, m);
  }
  const rest = data.length - whole;
  if (rest === 3) hash ^= data.readUInt8(whole + 2) << 16;
  if (rest >= 2) hash ^= data.readUInt8(whole + 1) << 8;
  if (rest >= 1) hash = Math.imul(hash ^ data.readUInt8(whole), m);
  hash = Math.imul(hash ^ (hash >>> 13), m);
  return hash ^ (hash >>> 15);
}

/** The partition to which the default partitioner sends a key. */
export function partitionOf(key: string | Buffer, partitions: number): number {
  return (murmur2(typeof key === 'string' ? Buffer.from(key) : key) & 0x7fffffff) % partitions;
}
