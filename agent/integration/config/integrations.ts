import { TelltaleError } from '../../../runtime/errors.js';
import { nearMiss } from '../../settings/near-miss.js';
import { authenticationOf, type Authentication } from './authentication.js';
import {
  authorityOf,
  entryForm,
  knownMembers,
  type AdvancedSettings,
  type EntryForm,
  type SlowlogSettings,
} from './file-form.js';
import { wordsOf } from './mistake-words.js';
import { JsonMistake, parseLocatedJson, type LocatedJson } from './located-json.js';

/** One cluster to watch, with all defaults filled in. Safe to log: its secrets are hidden. */
export interface Integration {
  /** The index of the entry in the file, from 0: two entries can have the same address. */
  readonly index: number;
  readonly monitor: boolean;
  /** `http://es1.example.org:9200` */
  readonly url: string;
  readonly authentication: Authentication;
  readonly verifyCertificate: boolean;
  /** PEM text, a path, or empty. */
  readonly certificateAuthority: string;
  readonly requestTimeoutMs: number;
  readonly advanced: AdvancedSettings;
  readonly slowlog: SlowlogSettings;
}

export interface Integrations {
  /** The form of the file, which is also that of the connection test's answer: one object or an array. */
  readonly form: 'none' | 'one' | 'several';
  readonly entries: readonly Integration[];
  /** Unknown members, with their location. */
  readonly warnings: readonly string[];
}

/** Without a file there is nothing to watch. */
export const noIntegrations: Integrations = { form: 'none', entries: [], warnings: [] };

/**
 * Reads integration.json: one object, or an array of them. Throws CONFIG_INVALID with every mistake and its location, as
 * `integration.json:4:12 /0/port must be …`; no message quotes a value.
 */
export function parseIntegrations(text: string, fileName = 'integration.json'): Integrations {
  const json = parse(text, fileName);
  const several = Array.isArray(json.value);
  const given: readonly unknown[] = several ? (json.value as unknown[]) : [json.value];
  const problems: string[] = [];
  const warnings: string[] = [];
  const at = (pointer: string): string => {
    const { line, column } = json.locationOf(pointer);
    return `${fileName}:${line}:${column}${pointer === '' ? '' : ` ${pointer}`}`;
  };

  const entries = given.flatMap((value, index) => {
    const base = several ? `/${index}` : '';
    for (const { pointer, meant } of unknownMembers(value)) {
      const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
      warnings.push(`${at(base + pointer)} is not known, and is ignored${hint}`);
    }
    const parsed = entryForm.safeParse(value, { error: wordsOf });
    if (parsed.success) return [integrationOf(parsed.data, index)];
    for (const { path, message } of parsed.error.issues) {
      problems.push(`  ${at(base + path.map((step) => `/${String(step)}`).join(''))} ${message}`);
    }
    return [];
  });
  if (problems.length > 0) {
    const told = [...problems, ...warnings.map((warning) => `  ${warning}`)];
    throw new TelltaleError('CONFIG_INVALID', { problems: told.join('\n') });
  }
  return { form: several ? 'several' : 'one', entries, warnings };
}

function parse(text: string, fileName: string): LocatedJson {
  try {
    return parseLocatedJson(text);
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    const { line, column } = error.location;
    throw new TelltaleError('CONFIG_INVALID', {
      problems: `  ${fileName}:${line}:${column} ${error.message}`,
    });
  }
}

interface UnknownMember {
  readonly pointer: string;
  /** A known name that is similar. */
  readonly meant: string | undefined;
}

function unknownMembers(entry: unknown): UnknownMember[] {
  const found: UnknownMember[] = [];
  for (const [pointer, known] of knownMembers) {
    const inside = pointer === '' ? entry : memberOf(entry, pointer.slice(1));
    if (!isObject(inside)) continue;
    found.push(
      ...Object.keys(inside)
        .filter((name) => !known.has(name))
        .map((name) => ({ pointer: `${pointer}/${name}`, meant: nearMiss(name, known) })),
    );
  }
  return found;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function integrationOf(entry: EntryForm, index: number): Integration {
  const { protocol, host, port, tls, monitor, verifyCertificate, requestTimeoutMs, advanced, slowlog } =
    entry;
  return {
    index,
    monitor,
    url: `${protocol}://${authorityOf(host)}:${port}`,
    authentication: authenticationOf(entry),
    verifyCertificate,
    certificateAuthority: tls.ca,
    requestTimeoutMs,
    advanced,
    slowlog,
  };
}
