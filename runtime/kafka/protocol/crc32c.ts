/**
 * CRC-32C (Castagnoli, RFC 3720 appendix B.4), which guards Kafka's record batches: eight bytes at a time, by eight
 * tables (M. E. Kounavis, F. L. Berry: "Novel table lookup-based algorithms for high-performance CRC generation").
 */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = -1;
  let at = from;
  for (; at + 8 <= to; at += 8) {
    crc ^= byte(bytes, at) | (byte(bytes, at + 1) << 8) | (byte(bytes, at + 2) << 16);
    crc ^= byte(bytes, at + 3) << 24;
    crc =
      entry((7 << 8) | (crc & 0xff)) ^
      entry((6 << 8) | ((crc >>> 8) & 0xff)) ^
      entry((5 << 8) | ((crc >>> 16) & 0xff)) ^
      entry((4 << 8) | (crc >>> 24)) ^
      entry((3 << 8) | byte(bytes, at + 4)) ^
      entry((2 << 8) | byte(bytes, at + 5)) ^
      entry((1 << 8) | byte(bytes, at + 6)) ^
      entry(byte(bytes, at + 7));
  }
  for (; at < to; at++) crc = entry((crc ^ byte(bytes, at)) & 0xff) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The polynomial 0x1EDC6F41, its bits reversed. */
const polynomial = 0x82f63b78;

/** Eight tables of 256 entries, one after another: the n-th is for a byte that n bytes follow. */
const tables = new Int32Array(8 * 256);
for (let value = 0; value < 256; value++) {
  let remainder = value;
  for (let bit = 0; bit < 8; bit++)
    remainder = (remainder & 1) === 1 ? (remainder >>> 1) ^ polynomial : remainder >>> 1;
  tables[value] = remainder;
}
for (let at = 256; at < tables.length; at++) {
  const before = entry(at - 256);
  tables[at] = (before >>> 8) ^ entry(before & 0xff);
}

// Both indices are always in range: the fallbacks satisfy the compiler, and cost nothing measurable.
function entry(at: number): number {
  return tables[at] ?? 0;
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
