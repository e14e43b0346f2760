import { hostname, userInfo } from 'node:os';

/** The user who ran the command. It is recorded with decisions, because others will ask about them. */
export function operatorName(): string {
  let user: string;
  try {
    user = userInfo().username;
  } catch {
    // A container can run under a user id that has no name.
    user = `user ${process.getuid?.() ?? 'unknown'}`;
  }
  return `${user}@${hostname()}`;
}
