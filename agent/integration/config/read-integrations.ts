import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { TelltaleError } from '../../../runtime/errors.js';
import { noIntegrations, parseIntegrations, type Integrations } from './integrations.js';

const unreadable: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder: AGENT_INTEGRATION_FILE names a file',
  EACCES: "can't be read by the agent's user: give that user read permission",
};

/**
 * The integrations of the present file; none if there is no file. Rejects with CONFIG_INVALID, also if it
 * can't be read.
 */
export async function readIntegrations(path: string): Promise<Integrations> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return noIntegrations;
    const problems = `  ${basename(path)} ${unreadable[code] ?? `can't be read (${code})`}`;
    throw new TelltaleError('CONFIG_INVALID', { problems }, { cause: error });
  }
  return parseIntegrations(text, basename(path));
}
