import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import { quarantineFolderOf } from './quarantine.js';

/**
 * The folder of what is quarantined; undefined where nothing is. Rejects with QUARANTINE_UNUSABLE where no agent keeps
 * its data in `agentFolder`, which would say nothing of what the agent has, and for another user than its own: a file
 * that this one makes there would be closed to the agent, which then loses what it wants to add.
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
      'there is no such folder. Set AGENT_FOLDER to that of the agent: its service may have it from a unit file';
    throw new TelltaleError('QUARANTINE_UNUSABLE', { folder: resolve(agentFolder), reason });
  }
  // The agent makes this folder itself; the one around it may be a volume of another owner.
  if (user !== undefined && found.uid !== user)
    throw new TelltaleError('QUARANTINE_UNUSABLE', {
      folder,
      reason: `it belongs to the agent's user ${found.uid}, and this is user ${user}. Run the command as that user: sudo -u '#${found.uid}' env AGENT_FOLDER=${resolve(agentFolder)} telltale-agent send-again`,
    });
  return folder;
}

/** What a file that is closed to this user means, and what to do. */
export function explained(error: unknown): unknown {
  const { code, path = 'the quarantine' } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES' && code !== 'EPERM') return error;
  const reason = `${reasonOf(error)}. Run the command as the agent's user, and give that user its files, for instance by chown`;
  return new TelltaleError('QUARANTINE_UNUSABLE', { folder: path, reason }, { cause: error });
}

function undefinedIfMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
