/** Four decimal bytes without leading zeros (RFC 6943, 3.1.1: with them a number might be octal). */
export function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

/** The text forms of RFC 4291, 2.2: eight groups, `::` once, the last two optionally as an IPv4 address. */
export function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const [head = '', tail] = halves;
  const length = groupsIn(head, tail === undefined) + (tail === undefined ? 0 : groupsIn(tail, true));
  return tail === undefined ? length === 8 : length <= 7;
}

/** How many 16-bit groups, or NaN if one is malformed. An IPv4 address, at the end only, counts as two. */
function groupsIn(half: string, mayEndInIpv4: boolean): number {
  if (half === '') return 0;
  const groups = half.split(':');
  const last = groups.at(-1) ?? '';
  const embedded = mayEndInIpv4 && last.includes('.');
  if (embedded && !isIpv4(last)) return Number.NaN;
  const plain = embedded ? groups.slice(0, -1) : groups;
  return plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? plain.length + (embedded ? 2 : 0)
    : Number.NaN;
}
