import { hostname, userInfo } from 'node:os';

/** Who typed a command: what is written beside a decision that others will ask about. */
export function operatorName(): string {
  let user: string;
  try {
    user = userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    user = `user ${process.getuid?.() ?? 'unknown'}`;
  }
  return `${user}@${hostname()}`;
}
