import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TelltaleError } from '../../runtime/errors.js';
import { quarantineFolderOf } from './quarantine.js';

/**
 * The folder of what is quarantined; undefined where nothing is. Rejects with QUARANTINE_UNUSABLE for another user than
 * the agent's: a file that it makes there would be closed to the agent, which then loses what it wants to add.
 */
export async function findQuarantine(
  agentFolder: string,
  user: number | undefined,
): Promise<string | undefined> {
  const folder = quarantineFolderOf(resolve(agentFolder));
  const found = await stat(folder).catch(undefinedIfMissing);
  if (found === undefined) return undefined;
  // The agent makes this folder itself; the one around it may be a volume of another owner.
  if (user !== undefined && found.uid !== user)
    throw new TelltaleError('QUARANTINE_UNUSABLE', {
      folder,
      reason: `it belongs to the agent's user ${found.uid}, and this is user ${user}. Run the command as that user: sudo -u '#${found.uid}' env AGENT_FOLDER=${resolve(agentFolder)} telltale-agent send-again`,
    });
  return folder;
}

function undefinedIfMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
