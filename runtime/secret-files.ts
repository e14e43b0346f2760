import { readFileSync } from 'node:fs';
import { reasonOf } from './errors.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const suffix = '_FILE';

/**
 * The environment with the secrets from files: for each name `X`, the file that `X_FILE` names is read, and
 * `X` gets its content without the last line break. An empty variable counts as unset.
 */
export function secretsFromFiles(
  names: Iterable<string>,
  environment: Environment,
): { readonly environment: Environment; readonly problems: readonly string[] } {
  const read: Record<string, string | undefined> = { ...environment };
  const problems: string[] = [];
  for (const name of names) {
    const variable = `${name}${suffix}`;
    const path = environment[variable];
    if (path === undefined || path === '') continue;
    read[variable] = undefined;
    if (environment[name] !== undefined && environment[name] !== '') {
      problems.push(`${variable}: ${name} is set too; keep one of them`);
      continue;
    }
    try {
      const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      if (text === '') problems.push(`${variable}: ${path} is empty`);
      else read[name] = text;
    } catch (error) {
      problems.push(`${variable}: cannot be read (${reasonOf(error)})`);
    }
  }
  return { environment: read, problems };
}
