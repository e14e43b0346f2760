import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { noIntegrations, parseIntegrations, type Integrations } from './integrations.js';

/** The file as it is now; where there is none, no integrations. Rejects with CONFIG_INVALID, or with why it can't be read. */
export async function readIntegrations(path: string): Promise<Integrations> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return noIntegrations;
    throw error;
  }
  return parseIntegrations(text, basename(path));
}
