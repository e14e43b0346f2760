import { hostname, userInfo } from 'node:os';

/** The user who typed a command: recorded with a decision that others will ask about. */
export function operatorName(): string {
  let user: string;
  try {
    user = userInfo().username;
  } catch {
    // A container may run under a user id without a name.
    user = `user ${process.getuid?.() ?? 'unknown'}`;
  }
  return `${user}@${hostname()}`;
}
