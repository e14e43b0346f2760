import { secretsOf } from '../../runtime/config.js';
import { secretsFromFiles, type Environment } from '../../runtime/secret-files.js';
import { agentConfig, type AgentConfig } from '../config.js';
import { nearMiss } from './near-miss.js';

export type { Environment };

/** A file of settings as it was found. */
export interface SettingsFile {
  readonly path: string;
  /** Undefined if there is none. */
  readonly text: string | undefined;
}

export type SettingsReading =
  | { readonly kind: 'settings'; readonly config: AgentConfig }
  /** Everything that is wrong, each with its location. */
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

type Name = keyof AgentConfig;

const names = Object.keys(agentConfig.shape) as Name[];

/** `AGENT_SERVER_URL` is `serverUrl` in the file. */
export function keyInFile(name: string): string {
  return name
    .slice('AGENT_'.length)
    .toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const byKey = new Map(
  names.filter((name) => name !== 'AGENT_CONFIG_FILE').map((name) => [keyInFile(name), name]),
);

/** Settings with several values, which can be an array in the file. */
const lists: ReadonlySet<Name> = new Set(names.filter((name) => Array.isArray(agentConfig.parse({})[name])));

/** Variables take precedence over the file. An empty variable counts as unset. */
export function readSettings(environment: Environment, file: SettingsFile): SettingsReading {
  const { given, problems } = readFile(file);
  const variables = secretsFromFiles(secretsOf(agentConfig), environment);
  problems.push(...variables.problems);
  const fromVariables = new Set<string>();
  for (const name of names) {
    const value = variables.environment[name];
    if (value === undefined || value === '') continue;
    given[name] = value;
    fromVariables.add(name);
  }
  const parsed = agentConfig.safeParse(given);
  if (parsed.success && problems.length === 0) return { kind: 'settings', config: parsed.data };
  const invalid = (parsed.error?.issues ?? []).map(({ path, message }) => {
    const name = String(path[0]);
    return `${fromVariables.has(name) ? name : `${file.path}: /${keyInFile(name)}`}: ${message}`;
  });
  return { kind: 'problems', problems: [...problems, ...invalid] };
}

function readFile({ path, text }: SettingsFile): { given: Record<string, unknown>; problems: string[] } {
  const given: Record<string, unknown> = {};
  if (text === undefined) return { given, problems: [] };
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { given, problems: [`${path}: is not valid JSON${locationIn(text, error)}`] };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { given, problems: [`${path}: must be a JSON object, as in {"serverUrl": "https://…"}`] };
  const problems: string[] = [];
  for (const [key, setting] of Object.entries(value)) {
    const name = byKey.get(key);
    if (name === undefined) problems.push(`${path}: /${key}: is not known${hintFor(key)}`);
    else if (lists.has(name) && isTexts(setting)) given[name] = setting.join(',');
    else if (typeof setting !== 'string' && typeof setting !== 'number')
      problems.push(`${path}: /${key}: must be a string or a number`);
    else if (setting !== '') given[name] = setting;
  }
  return { given, problems };
}

function hintFor(key: string): string {
  const meant = nearMiss(key, byKey.keys());
  return meant === undefined
    ? `; the known ones are ${[...byKey.keys()].join(', ')}`
    : `: did you mean ${meant}?`;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Returns only the position in the parser's message: the rest quotes the file, which can contain a key. */
function locationIn(text: string, error: unknown): string {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return `: look at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
