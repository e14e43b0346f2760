import { createServer } from 'node:net';
import { TelltaleError } from '../runtime/errors.js';

const host = '127.0.0.1';

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** Throws PORT_BUSY, which names the port and the variable that changes it. */
export async function requireFreePort(port: number, what: string, variable: string): Promise<void> {
  if (!(await isPortFree(port))) throw new TelltaleError('PORT_BUSY', { port, what, variable });
}

/**
 * A free port in a range that operating systems do not assign by themselves: an outgoing connection could take an
 * ephemeral port while its server restarts.
 */
export async function pickFreePort(from = 21_000, below = 32_000): Promise<number> {
  for (;;) {
    const candidate = from + Math.floor(Math.random() * (below - from));
    if (!picked.has(candidate) && (await isPortFree(candidate))) {
      picked.add(candidate);
      return candidate;
    }
  }
}

/** Two servers that are started at once must not get the same port, even if neither uses it yet. */
const picked = new Set<number>();
