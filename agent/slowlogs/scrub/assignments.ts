import { pairField } from './clauses.js';
import { credentialName, isCount, isCredential, type Says } from './names.js';
import { finding, marker, type Finding, type Role, type Span } from './replacements.js';
import { valuesAt } from './values.js';

/** What a name in a text means for its value, and the rule and role of the finding. */
export interface Naming {
  readonly rule: string;
  readonly role: Role;
  readonly says: (name: string) => Says;
  /** Whether a value under such a name is a finding. */
  readonly accept: (value: string, says: Says, name: string, isAtEnd: boolean) => boolean;
}

/** Words that can stand in the position of a value but are none. */
const noValue =
  /^(?:true|false|null|none|nil|undefined|yes|no|and|or|not|string|keyword|text|expired|invalid|required|missing|failed|incorrect|changed|reset|in|at|on|ok|denied|granted|accepted|rejected|disabled|enabled|\*+|%s|\?|\$?\{[^}]*\}|<[^>]*>)$/i;
/** `$DB_PASSWORD`, `$password` or `$1`; a word that begins with a dollar and ends with digits is a password. */
const variable = /^\$(?:[A-Za-z_]+|[A-Z][A-Z0-9_]*|\d)$/;
const isNoValue = (value: string): boolean => noValue.test(value) || variable.test(value);

/** Words that continue a sentence after a colon: `the token: what it is`. */
const sentence =
  /(?<=:[ \t])(?:what|how|why|when|where|who|which|whether|see|the|an?|its?|this|that|these|if|in|on|for|to|of|as|must|should|can|may|will|is|are|was|were|you|your|we|our)[ \t](?!or\b|and\b)(?=[a-z])/iy;

export const credentials: Naming = {
  rule: 'assignment',
  role: 'credential',
  says: credentialName,
  accept: (value, says, name) => value !== '' && !isNoValue(value) && isCredential(value, says, name),
};

const name = /[A-Za-z_\u00c0-\u{10ffff}](?:[\w.\u00c0-\u{10ffff}-]|\.\*|#(?=\w)){1,119}/gu;

/** What can be between a name and its operator: marks, subscripts, further steps of a path, conversions. */
const closing =
  /(?:\*|%5[BbDd]|\^[\d.]+|\\{0,8}["'`\])}*]|\[\d*\]|\??\.(?!equals|contains|starts|ends|compare|index|match|size\(|length\()\w{1,24}(?:\((?:[^()"'\n]{0,40}|''|"")\))?|::\w{1,20}|,(?!\s{0,4}\d{4})(?:[^()"'\n]|'[^']{0,2}'){0,60}\)|\s{1,3}as\s{1,3}\w{1,20}\)){0,6}/iy;
/** How a value is bound to its name. */
interface Operator {
  readonly form: RegExp;
  /** What even a certain credential must look like here, because the form is common. */
  readonly looks?: RegExp;
  /** The value is the rest of its line. */
  readonly isLine?: boolean;
  /** The name is the first of a list of arguments or of a pair. */
  readonly isArgument?: boolean;
}

/** `random`: letters of both cases and digits. `noName`: a digit or a sign that no name has. */
const random = /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])[\w+/=.-]{16,}$/;
const noName = /\d|[^\w\s.-]/;

const operators: readonly Operator[] = [
  { form: /(?:\\s[*+?]){0,2}(?:[=:]|\[[^\]\n]{0,8}[=:][^\]\n]{0,8}\][+*?]?)(?:\\s[*+?]){1,2}|\[[^\]\n]{0,8}[=:][^\]\n]{0,8}\][+*?]?/y },
  { form: /\s{0,2}:\s{0,3}&?(?:string|str|text|char|securestring)\s{0,3}=\s{0,3}(?=["'])/iy },
  { form: /(?<=\))\s{0,4}(?:or|\|\||\?\?)\s{0,4}(?=["'])/y },
  { form: /\s{0,8}(?:\?=|:{2,3}=?|=>|->|:=|\.=|\+=|={1,3}~?|!==?|<>|<=|>=|[<>](?=[\s"'\d])|:(?!\s{0,4}\n))(?:\*\*)?[~\s+=]{0,8}(?:(?!<<)[<>]=?(?![-+\d]?\s*\n)\s{0,4})?/y },
  { form: /\s{1,8}(?:not\s{1,4})?(?:r?like|ilike|in|is|match(?:es)?|regexp?|eq|to|between|contains)~?\s{0,8}(?=[\\"'`(])/iy },
  { form: /\s{1,4}(?:is|was|of)\s{1,4}(?=\S)/iy, looks: /\d/ },
  { form: /\(\s{0,4}(?=\\{0,8}["'])/y },
  { form: /\??\.\w{2,24}~?\s{0,2}\(\s{0,4}(?=\\{0,8}["'])/y },
  { form: /(?<!["'`])\s{0,4},\s{0,4}(?=\\{0,8}["'([]|\d{4})/y },
  { form: /\s{0,4},\s{0,4}(?=\w?\\{0,8}["'([])/y, looks: noName, isArgument: true },
  { form: /\s{1,3}(?=\\{0,8}["'`][^\s"'`,;:)\]}=|&])/y, looks: noName },
  { form: /\s{1,3}-{1,2}\s{1,3}(?=["'`])/y, looks: noName },
  { form: /\s{1,4}value\s{0,2}=\s{0,2}/iy },
  { form: /<\/(?<tag>\w{1,30})>\s{0,40}<(?!\k<tag>>)\w{1,30}>(?:<\w{1,30}>)?(?!<\/)/y, isLine: true },
  { form: /\s{1,12}value:\s{1,4}/y },
  { form: /(?<=form-data;[^\n]{0,160})(?:\r?\n[\w-]+:[^\n]{0,80})?\r?\n\r?\n(?=.)/y, isLine: true },
  { form: /\s{0,2}(?=<<-?\w)/y },
  { form: /(?:\s{0,4}[,|]\s{0,4}|:\s{0,4}\n\s{0,12})(?=[^]{0,64}?[\w+/=.-]{16})/y, looks: random },
]; // prettier-ignore

/** `<password>…` */
const element: Operator = {
  form: /[^<>\n]{0,80}>\s{0,40}(?=<!\[CDATA\[|[^<>\n]{1,8192}<(?:\/|$)|[^\s<>]{1,200}$)/y,
  isLine: true,
};

/** `--password x`, `-token x`, and the same in a list of arguments. */
const flag = /(?:^|[\s"'*[(,])-{1,2}$/;
const behindFlag: Operator = { form: /["'*]?(?:\s{1,4}|=|\s{0,2},\s{0,2})(?!["']?-)/y };

/** Assignments and comparisons of any language: a name, an operator, and a value. */
export function assignments(text: string, naming: Naming, isCut: boolean): readonly Finding[] {
  const found: Finding[] = [];
  let taken = 0;
  name.lastIndex = 0;
  for (let match = name.exec(text); match !== null; match = name.exec(text)) {
    const says = match.index < taken ? 'none' : naming.says(match[0]);
    if (says === 'none') continue;
    const bound = valueStart(text, match.index, match.index + match[0].length);
    if (bound === null) continue;
    for (const { start, end } of valuesAt(
      text,
      bound.start,
      says === 'strong',
      bound.operator.isLine ?? isHeader.test(match[0]),
    )) {
      const value = text.slice(start, end);
      sentence.lastIndex = start;
      if (sentence.test(text)) continue;
      const isLast = isCut && end === text.length && says === 'strong';
      if (value.includes(marker) || bound.operator.looks?.test(value) === false) continue;
      if (!isLast && !naming.accept(value, says, match[0], end === text.length)) continue;
      found.push(finding(naming.rule, start, end, naming.role));
      taken = end;
    }
    name.lastIndex = Math.max(name.lastIndex, taken);
  }
  return found;
}

const isHeader = /^(?:proxy[-_])?authori[sz]ation$|cookie$/i;

interface Bound {
  readonly start: number;
  readonly operator: Operator;
}

/** No assignments: `pam_unix(sshd:auth): authentication failure`, and a command's folder, `PWD=/home/bob`. */
const noAssignment = /(?<=\w\([\w-]{1,30}:)[a-z]{1,20}\): |(?:OLD)?PWD=\/[a-z]{2,9}(?![\w+=])/y;

/** The start of the value that is bound to the name before it; null if there is none. */
function valueStart(text: string, nameStart: number, nameEnd: number): Bound | null {
  noAssignment.lastIndex = nameStart;
  if (noAssignment.test(text)) return null;
  if (flag.test(text.slice(Math.max(0, nameStart - 3), nameStart))) {
    const bound = boundBy(behindFlag, text, nameEnd);
    if (bound !== null) return bound;
  }
  if (text.charAt(nameStart - 1) === '<') return boundBy(element, text, nameEnd);
  closing.lastIndex = nameEnd;
  closing.test(text);
  const at = Math.max(closing.lastIndex, nameEnd);
  const isFirst = /[([{]\s{0,2}\w?\\{0,8}["']$/.test(text.slice(Math.max(0, nameStart - 13), nameStart));
  for (const operator of operators) {
    if (operator.isArgument === true && !isFirst) continue;
    const bound = boundBy(operator, text, at);
    if (bound !== null) return bound;
  }
  return null;
}

function boundBy(operator: Operator, text: string, at: number): Bound | null {
  operator.form.lastIndex = at;
  return operator.form.test(text) ? { start: operator.form.lastIndex, operator } : null;
}

/** `'…' == name`, `'…'.equals(doc['name'].value)`, `['a', '…'].contains(name)`, `'…' AS name`. */
const turned =
  /(?<quote>["'])(?<value>(?:\\.|''|(?!\k<quote>)[^\\\n]){1,512})\k<quote>\)?\]?\s{0,4}(?:[=!<>]{1,3}|\.\w{2,20}\(|\b(?:in|like|as)\b)\s{0,4}(?:doc\[|params\.|ctx\.|field\(|\$\(|\w{1,20}\()?(?:["`]|(?<=[[(])')?(?<name>[A-Za-z_][\w.-]{1,80})/gi;

/** `73190255 == name` */
const turnedNumber =
  /(?<![\w.-])(?<quote>)(?<value>\d{4,32})\s{0,4}[=!]=\s{0,4}(?<name>[A-Za-z_][\w.-]{1,80})/g;

export function turnedComparisons(text: string, naming: Naming): readonly Finding[] {
  return [turned, turnedNumber].flatMap((form) => comparisonsOf(form, text, naming));
}

function comparisonsOf(form: RegExp, text: string, naming: Naming): readonly Finding[] {
  const found: Finding[] = [];
  form.lastIndex = 0;
  for (let match = form.exec(text); match !== null; match = form.exec(text)) {
    const { quote = '', value = '', name: fieldName = '' } = match.groups ?? {};
    const start = match.index + quote.length;
    const span: Span = { start, end: start + value.length };
    const says = naming.says(fieldName);
    if (says !== 'none' && !value.includes(marker) && naming.accept(value, says, fieldName, false))
      found.push(finding(naming.rule, span.start, span.end, naming.role));
    else form.lastIndex = span.end + 1;
  }
  return found;
}

/** JSON, in which its own walk finds pairs, and markup, in which another rule does. */
const isNoQuery = /[{[]\s{0,8}\\{0,8}["{]|<\/?\w{1,30}>/;
const pairWord = /name|key|header|attribute|property|param|label|[._]k/i;
export const pairRule = 'value of a pair named in another clause';

/** The pairs, by path, whose name a text compares with a credential's name: `attrs.key:password`. */
export function pairsNamedIn(text: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  if (pairWord.test(text) && !isNoQuery.test(text))
    assignments(
      text,
      {
        rule: pairRule,
        role: 'credential',
        says: (name) => (pairField(name, true)?.isName === true ? 'weak' : 'none'),
        accept: (value, _, name) => {
          if (credentialName(value) === 'strong') pairs.set(pairField(name, true)?.path ?? '', value);
          return false;
        },
      },
      false,
    );
  return pairs;
}

/** The values of these pairs in a text: `attrs.value:"…"`. */
export function valuesOfPairs(
  text: string,
  pairs: ReadonlyMap<string, string>,
  isCut: boolean,
): readonly Finding[] {
  const nameOf = (field: string): string | undefined => {
    const pair = pairField(field, true);
    return pair?.isName === false ? pairs.get(pair.path) : undefined;
  };
  const naming: Naming = {
    rule: pairRule,
    role: 'credential',
    says: (field) => (nameOf(field) === undefined ? 'none' : 'strong'),
    accept: (value, _, field) => value !== '' && !isNoValue(value) && !isCount(value, nameOf(field) ?? ''),
  };
  return pairs.size === 0 || isNoQuery.test(text)
    ? []
    : [...assignments(text, naming, isCut), ...turnedComparisons(text, naming)];
}
