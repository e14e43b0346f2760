import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from './slowlogs/replace-file.js';

/** The id by which the server recognises this agent: generated once, and kept in the agent's folder. */
export async function agentIdOf(folder: string): Promise<string> {
  const path = join(folder, 'agent-id');
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (/^[0-9a-f-]{36}$/.test(kept)) return kept;
  const id = randomUUID();
  // If the disk is full, the agent has this id only until it ends.
  await replaceFile(path, id).catch(() => undefined);
  return id;
}
