/** How long a real-time call waits, and whether the client asked for it. */
export interface Wait {
  readonly ms: number;
  readonly asked: boolean;
}

/**
 * Reads `Prefer: wait=<seconds>` (RFC 7240). A client may ask for less than the standard wait, not for more; a
 * preference that makes no sense is ignored, as the RFC says.
 */
export function preferredWait(prefer: string | readonly string[] | undefined, standardMs: number): Wait {
  if (prefer === undefined) return { ms: standardMs, asked: false };
  const preferences = typeof prefer === 'string' ? prefer : prefer.join(',');
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9}(?:\.\d{1,3})?)"?\s*(?:$|[,;])/i.exec(preferences)?.[1];
  if (seconds === undefined) return { ms: standardMs, asked: false };
  return { ms: Math.min(Number(seconds) * 1_000, standardMs), asked: true };
}
