import type { ReplayState } from '../../runtime/replays/replay-log.js';

/** A table has rows of every workspace, so its replays are requested, and shown, in this workspace alone. */
export const installationWorkspace = 'default';

/** Whether a replay is shown to the admins of a workspace. */
export function isShownTo(workspace: string, { kind, parameters }: ReplayState): boolean {
  if (kind === 'table') return workspace === installationWorkspace;
  return (JSON.parse(parameters) as { readonly workspace?: string }).workspace === workspace;
}
