import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { entropy } from '../../agent/slowlogs/scrub/randomness.js';
import { scrubText } from '../../agent/slowlogs/scrub/scrub-text.js';

/** Published test vectors of secret scanners, next to the checkout: used to measure, never to learn. */
const folder = '../shared/data/agent/secrets';
const sets = ['gitleaks', 'trufflehog', 'detectsecrets'] as const;

export interface Vector {
  readonly source: string;
  readonly rule: string;
  readonly kind: 'secret' | 'not_secret';
  readonly text: string;
  readonly want?: readonly string[];
}

export function vectors(): readonly Vector[] | null {
  if (!existsSync(folder)) return null;
  return sets.flatMap(
    (set) =>
      gunzipSync(readFileSync(`${folder}/${set}.jsonl.gz`))
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Vector)
        .filter(({ rule }) => rule !== 'ip_public'), // public addresses are not credentials
  );
}

const searchesFile = '../shared/recipes/scrubber/ordinary-searches.jsonl';

/** Searches without a credential, which the scrubber must leave unchanged. */
export function ordinarySearches(): readonly string[] | null {
  if (!existsSync(searchesFile)) return null;
  return readFileSync(searchesFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly text: string }).text);
}

export interface Count {
  right: number;
  of: number;
  /** One line for each that is wrong. */
  readonly rest: string[];
}

/** The secret part of a text: the part that the vector names, if present, otherwise its most random word. */
export function secretsOf({ text, want }: Vector): readonly string[] {
  const told = (want ?? []).flatMap((whole) => (text.includes(whole) ? [whole] : whole.split(/[:\t]/)));
  const present = [...new Set(told)].filter(
    (part) => part.length >= 6 && text.includes(part) && !isOpen.test(part),
  );
  if (present.length > 0) return present;
  const user = /:\/\/([^\s/"'@]{3,}:[^\s/"'@]{3,})@/.exec(text)?.[1];
  if (user !== undefined) return [user];
  const words = text
    .split(/[\s"'`=,;<>(){}[\]]+|:(?=["'\s])/)
    .filter((word) => word.length >= 6 && !isOpen.test(word));
  const worth = (word: string): number => entropy(word) * Math.min(word.length, 64);
  const best = words.sort((a, b) => worth(b) - worth(a))[0];
  return [best ?? text];
}

/** Addresses, and names of headers and variables: the text around a secret. */
const isOpen = /^"?(?:https?|jdbc|\/\/|application\/)|^[A-Z_]+$|^[A-Za-z]+(?:-[A-Za-z]+)+$|appsync-api|^\$/;

const asQuery = (text: string): string => JSON.stringify({ size: 10, query: { match: { message: text } } });
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The ways in which a secret gets into a slow log: each gives the text to scrub, and what must be gone. */
const embeddings: Readonly<Record<string, (vector: Vector, secret: string) => readonly [string, string]>> = {
  'as a query value': ({ text }, secret) => [asQuery(text), escaped(secret)],
  "as a key's value": (_, secret) => [
    JSON.stringify({ query: { bool: { filter: [{ term: { 'user.passwd': { value: secret } } }] } } }),
    escaped(secret),
  ],
  'in text': ({ text }, secret) => [`found it in the notes, ${text} and nothing else`, secret],
  'escaped twice': ({ text }, secret) => [escaped(asQuery(text)), escaped(escaped(secret))],
  'behind it cut off': ({ text }, secret) => {
    const whole = asQuery(text);
    return [whole.slice(0, whole.indexOf(escaped(secret)) + escaped(secret).length), escaped(secret)];
  },
  'itself cut off': ({ text }, secret) => {
    const whole = asQuery(text);
    const kept = escaped(secret).slice(0, Math.ceil(secret.length * 0.7));
    return [whole.slice(0, whole.indexOf(escaped(secret)) + kept.length), kept];
  },
};

/** The number of planted secrets that are gone, by embedding. A secret of which half remains is not gone. */
export function plantedSecrets(rows: readonly Vector[]): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>();
  for (const [name, embed] of Object.entries(embeddings)) {
    const count: Count = { right: 0, of: 0, rest: [] };
    for (const row of rows.filter(({ kind }) => kind === 'secret')) {
      const left = secretsOf(row).filter((secret) => survives(...embed(row, secret)));
      count.of += 1;
      if (left.length === 0) count.right += 1;
      else
        count.rest.push(
          `${row.rule}: ${JSON.stringify(left).slice(0, 120)} in ${JSON.stringify(row.text).slice(0, 200)}`,
        );
    }
    counts.set(name, count);
  }
  return counts;
}

function survives(embedded: string, secret: string): boolean {
  const { text } = scrubText(embedded);
  const around = embedded.replaceAll(secret, '\n');
  const half = Math.max(6, Math.ceil(secret.length / 2));
  for (let at = 0; at + half <= secret.length; at += 1) {
    const part = secret.slice(at, at + half);
    // A part that also occurs elsewhere in the text reveals nothing of the secret.
    if (text.includes(part) && !around.includes(part)) return true;
  }
  return false;
}

/** A word that names a credential, by a separate list: the value after it must go, look-alike or not. */
const namesCredential = /pass|pwd|secret|token|api[ _-]?key|access[ _-]?key|auth|credential|bearer|\bkey\b/i;

/** The number of look-alikes that remain unchanged, of those that no credential key names. */
export function lookAlikes(rows: readonly Vector[]): Count {
  const count: Count = { right: 0, of: 0, rest: [] };
  for (const { rule, text } of rows.filter(
    ({ kind, text }) => kind === 'not_secret' && !namesCredential.test(text),
  )) {
    const { replacements, text: left } = scrubText(asQuery(text));
    count.of += 1;
    if (replacements.length === 0) count.right += 1;
    else count.rest.push(`${rule}: ${JSON.stringify(text).slice(0, 160)} became ${left.slice(0, 200)}`);
  }
  return count;
}

/** The number of searches that remain unchanged. */
export function ordinaryLeftAlone(searches: readonly string[]): Count {
  const rest = searches.filter((search) => scrubText(search).text !== search);
  return { right: searches.length - rest.length, of: searches.length, rest };
}
