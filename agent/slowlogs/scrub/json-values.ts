import { pairRule, pairsNamedIn, valuesOfPairs } from './assignments.js';
import {
  clausesOfKeys,
  namedByCaller,
  nothing,
  options,
  pairField,
  relate,
  unnamedTexts,
  wrappers,
  withoutBoost,
  type NameClassifier,
  type PairField,
  type Said,
} from './clauses.js';
import type { JsonGroup, JsonMember, JsonNode, JsonScalar, JsonString } from './json.js';
import { credentialName, isCount, isCredential, saysNothing } from './names.js';
import { identifierName, identifiers, isIdentifier } from './nearby-identifiers.js';
import { looksDrawn } from './randomness.js';
import { finding, marker, type Finding } from './replacements.js';
import { inForms } from './texts.js';
import { inString } from './unescaped-text.js';

/** Finds credentials in a text, JSON or not. */
export type FindIn = (text: string, isCut: boolean) => readonly Finding[];

/** Finds credentials in JSON: by the names of its fields, and in its strings. */
export function inJson(source: string, root: JsonNode, findIn: FindIn): readonly Finding[] {
  const walk = new Walk(source, findIn);
  walk.visit(root, nothing, []);
  walk.takePairs();
  return walk.found;
}

const credentialClassifier: NameClassifier = {
  says: credentialName,
  isName: (text) => credentialName(text) === 'strong' && !looksDrawn(text),
  isNearby: (name) => identifierName(name) !== null,
};

const keyAtLeast = 15;
/** More fields than a search names next to its text. This bounds the work for hostile texts. */
const besideAtMost = 50;
const quotedMarker = `"${marker}"`;

class Walk {
  readonly found: Finding[] = [];
  /** What members of an object say about others. */
  private readonly said = new Map<JsonNode, Said>();
  /**
   * Pairs, by path, whose name is that of a credential; the values of pairs; texts that might contain some.
   */
  private readonly pairs = new Map<string, string>();
  private readonly pairValues: { readonly path: string; readonly node: JsonString | JsonScalar }[] = [];
  private readonly comparing: JsonString[] = [];

  constructor(
    private readonly source: string,
    private readonly findIn: FindIn,
  ) {}

  /** Visits a node under its keys, the outermost first. */
  visit(node: JsonNode, said: Said, keys: readonly string[]): void {
    if (this.source.startsWith(marker, node.start)) return;
    if (node.kind === 'string') this.string(node, said, keys);
    else if (node.kind === 'scalar') this.scalar(node, said, keys);
    else if (said.says === 'strong' && this.holdsValues(node, keys.at(-1) ?? '')) this.take(node, said.rule);
    else this.group(node, said, keys);
  }

  takePairs(): void {
    if (this.pairs.size === 0) return;
    for (const { path, node } of this.pairValues) {
      const name = this.pairs.get(path);
      if (name !== undefined && !isCount(this.textOf(node), name)) this.take(node, pairRule);
    }
    for (const node of this.comparing)
      this.inside(node, (text) => valuesOfPairs(text, this.pairs, node.isOpen));
  }

  private group(group: JsonGroup, said: Said, keys: readonly string[]): void {
    const beside = relate(group, credentialClassifier, (node, known) => this.said.set(node, known));
    const fields = [...new Set(beside?.names)].slice(0, besideAtMost).map(withoutBoost);
    for (const field of fields)
      for (const { value } of beside?.values ?? []) this.pair(value, pairField(field, true));
    if (group.members.some(({ key }) => key === null)) this.list(group);
    for (const { key, value } of group.members) {
      if (key === null) this.visit(value, this.said.get(value) ?? said, keys);
      else this.member({ key, value }, said, keys);
    }
    if (group.isOpen && !keys.slice(-2).some((key) => clausesOfKeys.has(key)))
      for (const text of unnamedTexts(group)) this.take(text, 'text whose field was cut off', 'doubtful');
  }

  private member(
    { key, value }: JsonMember & { readonly key: JsonString },
    said: Said,
    keys: readonly string[],
  ): void {
    const name = key.value;
    const known = this.said.get(value);
    let now = known ?? nothing;
    if (now.says !== 'strong' && !namedByCaller.has(keys.at(-1) ?? '')) {
      const says = credentialName(name);
      if (says === 'strong' || (says !== 'none' && now.says === 'none'))
        now = { says, name, rule: 'field', isDeep: false };
      else if (now === nothing && (said.isDeep || wrappers.has(name))) now = said;
    }
    if (name.length > keyAtLeast) this.inside(key, (text) => this.findIn(text, false));
    this.pair(value, pairField(name, clausesOfPairs.has(keys.at(-1) ?? '')));
    this.visit(value, now, [...keys, name]);
  }

  private pair(node: JsonNode, pair: PairField | null): void {
    if (pair === null) return;
    const { path, isName } = pair;
    // The visit reaches such a field again. If it were walked from each field above, deep nesting would take
    // quadratic time.
    const isSame = (name: string): boolean => {
      const below = pairField(name, false);
      return below?.path === path && below.isName === isName;
    };
    for (const leaf of scalarsOf(node, isSame)) {
      if (!isName) this.pairValues.push({ path, node: leaf });
      else if (leaf.kind === 'string' && credentialName(leaf.value) === 'strong')
        this.pairs.set(path, leaf.value);
    }
  }

  private string(node: JsonString, said: Said, keys: readonly string[]): void {
    const { value } = node;
    if (value === marker || saysNothing.test(value)) return;
    if (said.says === 'strong' || isCredential(value, said.says, said.name)) {
      this.take(node, said.rule);
      return;
    }
    if (isIdentifier(value, identifierName(said.name || fieldIn(keys))))
      this.take(node, identifiers.rule, 'nearby');
    this.inside(node, (text) => this.findIn(text, node.isOpen));
    if (!/[:=]/.test(value)) return;
    this.comparing.push(node);
    for (const [path, name] of pairsNamedIn(value)) this.pairs.set(path, name);
  }

  private scalar(node: JsonScalar, said: Said, keys: readonly string[]): void {
    const text = this.textOf(node);
    if (saysNothing.test(text)) return;
    const isOption = options.has(keys.at(-1) ?? '') || isCount(text, said.name);
    if (said.says === 'strong' && !isOption) this.take(node, said.rule);
    else if (isIdentifier(text, identifierName(said.name || fieldIn(keys))))
      this.take(node, identifiers.rule, 'nearby');
  }

  private take(node: JsonNode, rule: string, role?: Finding['role']): void {
    const taken = finding(rule, node.start, node.end, role);
    this.found.push(node.kind === 'string' ? taken : { ...taken, replacement: quotedMarker });
  }

  private textOf({ start, end }: JsonNode): string {
    return this.source.slice(start, end);
  }

  /** Searches within a string. */
  private inside(node: JsonString, find: (text: string) => readonly Finding[]): void {
    this.found.push(...inString(node, find(node.value)));
  }

  /** Whether anything in a group could be a credential. Options, booleans and weights of tokens are none. */
  private holdsValues(group: JsonGroup, key: string): boolean {
    const isWeights = /tokens$/i.test(key);
    for (const leaf of scalarsOf(group)) {
      const text = leaf.kind === 'string' ? leaf.value : this.textOf(leaf);
      if (!saysNothing.test(text) && !(isWeights && leaf.kind === 'scalar')) return true;
    }
    return false;
  }

  /** Searches a command that is a list of its words. */
  private arguments(words: readonly JsonNode[]): void {
    const texts = words.map((word) => (word.kind === 'string' ? word.value : ''));
    if (!texts.some((text) => text.startsWith('-'))) return;
    const found = inForms(texts.join(' ')).filter(({ rule }) => rule.endsWith('of a command'));
    let start = 0;
    words.forEach((word, at) => {
      const end = start + (texts[at] ?? '').length;
      const taken = found.find((one) => one.start < end && start < one.end);
      if (taken !== undefined && word.kind === 'string') this.take(word, taken.rule);
      start = end + 1;
    });
  }

  /** Arguments of commands, `["--password","…"]`, pairs of headers, `["X-Api-Key","…"]`, and keys line by line. */
  private list({ members }: JsonGroup): void {
    let isInKey = false;
    this.arguments(members.map(({ value }) => value));
    members.forEach(({ value: node }, at) => {
      if (node.kind !== 'string') return;
      const before = members[at - 1]?.value;
      if (isInKey && keyLine.test(node.value)) this.take(node, 'private key');
      if (keyBegins.test(node.value)) isInKey = true;
      if (keyEnds.test(node.value)) isInKey = false;
      if (before?.kind !== 'string' || credentialName(before.value.replace(/^-{1,2}/, '')) !== 'strong')
        return;
      const isArgument = /^-{1,2}\w/.test(before.value) && !node.value.startsWith('-');
      if (
        isArgument ||
        (members.length === 2 && isNoName.test(node.value) && credentialName(node.value) === 'none')
      )
        this.said.set(node, {
          says: 'strong',
          name: before.value,
          rule: 'argument behind its name',
          isDeep: true,
        });
    });
  }
}

/** Clauses in which a key is the field of a pair even though it is also a word of searches. */
const clausesOfPairs: ReadonlySet<string> = new Set(
  [...clausesOfKeys, 'terms'].filter((clause) => clause !== 'range'),
);
/** A digit or a sign that no name has. */
const isNoName = /\d|[^\w.@-]/;
const keyBegins = /-----BEGIN |PuTTY-User-Key-File/;
const keyEnds = /-----END |Private-MAC/;
const keyLine = /^\s*(?:[A-Za-z0-9+/=]{4,}|[A-Za-z][A-Za-z0-9-]{1,30}: .{0,100})\s*$/;

/** The field that keys lead to: the last key that does more than say how its field is searched. */
const fieldIn = (keys: readonly string[]): string => keys.findLast((key) => !wrappers.has(key)) ?? '';

/** Strings and numbers of a node that are searched for, except those below excluded keys. */
function* scalarsOf(
  node: JsonNode,
  isLeftOut: (key: string) => boolean = () => false,
): Iterable<JsonString | JsonScalar> {
  if (node.kind === 'string' || node.kind === 'scalar') yield node;
  else
    for (const { key, value } of node.members)
      if (!key || !(options.has(key.value) || isLeftOut(key.value))) yield* scalarsOf(value, isLeftOut);
}
