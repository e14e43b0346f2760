import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Variables by name, as a shell's `source` reads them. */
export type Variables = Readonly<Record<string, string>>;

/** Writes the file atomically, readable only by its owner. */
export function writeEnvFile(path: string, variables: Variables, comment: string): void {
  const unfinished = `${path}.unfinished`;
  writeFileSync(unfinished, formatEnv(variables, comment), { mode: 0o600 });
  chmodSync(unfinished, 0o600); // the mode above applies only to a new file
  renameSync(unfinished, path);
}

/** Empty if there is no file. */
export function readEnvFile(path: string): Variables {
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
}

export function formatEnv(variables: Variables, comment: string): string {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quote(value)}`);
  return [`# ${comment}`, ...lines, ''].join('\n');
}

/** Reads what `formatEnv` writes, and plain `NAME=value` lines. */
export function parseEnv(text: string): Variables {
  const found: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const match = /^(?:export )?([A-Z_][A-Z0-9_]*)=(.*)$/.exec(line.trim());
    if (match?.[1] !== undefined) found[match[1]] = unquote(match[2] ?? '');
  }
  return found;
}

const harmless = /^[\w.,:/@%+=-]*$/;

/** Quotes the value as one shell word. */
export function quote(value: string): string {
  return harmless.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

function unquote(text: string): string {
  return text.startsWith("'") && text.endsWith("'") ? text.slice(1, -1).replaceAll(`'\\''`, "'") : text;
}
