import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import { quarantineFolderOf } from './quarantine.js';

/**
 * The folder of the quarantine; undefined if nothing is quarantined. Rejects with QUARANTINE_UNUSABLE if no
 * agent keeps its data in `agentFolder`: the lack of a quarantine there would say nothing about the agent.
 * Rejects in the same way for any user but the folder's owner: the agent could not open a file that this user
 * creates there, and would lose what it wants to add.
 */
export async function findQuarantine(
  agentFolder: string,
  user: number | undefined,
): Promise<string | undefined> {
  const folder = quarantineFolderOf(resolve(agentFolder));
  const found = await stat(folder).catch(undefinedIfMissing);
  if (found === undefined) {
    if ((await stat(agentFolder).catch(undefinedIfMissing)) !== undefined) return undefined;
    const reason =
      'there is no such folder. Set AGENT_FOLDER to the folder of the agent: its service may get it from a unit file';
    throw new TelltaleError('QUARANTINE_UNUSABLE', { folder: resolve(agentFolder), reason });
  }
  // The agent creates this folder itself; its parent can be a volume of another owner.
  if (user !== undefined && found.uid !== user)
    throw new TelltaleError('QUARANTINE_UNUSABLE', {
      folder,
      reason: `it belongs to the agent's user ${found.uid}, and this is user ${user}. Run the command as that user: sudo -u '#${found.uid}' env AGENT_FOLDER=${resolve(agentFolder)} telltale-agent send-again`,
    });
  return folder;
}

/** What it means that this user can't access a file, and what to do. */
export function explained(error: unknown): unknown {
  const { code, path = 'the quarantine' } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES' && code !== 'EPERM') return error;
  const reason = `${reasonOf(error)}. Run the command as the agent's user, and give that user its files, for instance by chown`;
  return new TelltaleError('QUARANTINE_UNUSABLE', { folder: path, reason }, { cause: error });
}

function undefinedIfMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
