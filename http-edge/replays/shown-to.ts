import type { ReplayState } from '../../runtime/replays/replay-log.js';
import { installationWorkspace } from '../installation-workspace.js';

/** Whether a replay is shown to the admins of a workspace. A table has rows of every workspace. */
export function isShownTo(workspace: string, { kind, parameters }: ReplayState): boolean {
  if (kind === 'table') return workspace === installationWorkspace;
  return (JSON.parse(parameters) as { readonly workspace?: string }).workspace === workspace;
}
