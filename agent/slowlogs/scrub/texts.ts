import { assignments, credentials, pairsNamedIn, turnedComparisons, valuesOfPairs } from './assignments.js';
import { inFormats, otherFormats, privateKeys } from './formats.js';
import { followers, identifiers, mailAddresses } from './nearby-identifiers.js';
import { finding, type Finding } from './replacements.js';
import { tokensIn } from './tokens.js';

/** A text without such a word contains no token. */
const longWord = /[\w+/=~.:|!$*-]{13}/;
const mayBeToken = /\d|[A-Z]{3}|[\w+/=-]{30}/;
/** A part of every name that might be a credential's, and of every command with one. */
const hint =
  /pass|pwd|pw|secret|token|key|auth|cred|pin|otp|cv[vc]|sig|sid|psk|sas|dsn|senha|haslo|has[lł]o|jwt|jwk|hash|kennwort|contrase|parola|wachtwoord|motde|cookie|bearer|mnemonic|seed|code|answer|session|sess|csrf|xsrf|connstr|connection|webhook|response|assertion|verifier|heslo|lozinka|salasana|jelsz|adgangs|losen|lösen|clave|accessid|accountsas|парол|密|口令|パスワード|비밀번호/i;
const identifierHint = /user|usr|uname|id|login|account|principal|mail/i;

/** Finds credentials in a text that is no JSON: prose, code, queries, commands, addresses. */
export function inText(text: string, isCut: boolean): readonly Finding[] {
  if (text.length < 4) return [];
  const found: Finding[] = [];
  const isHinted = hint.test(text);
  const mayAssign = isHinted || longWord.test(text);
  found.push(...inForms(text));
  if (mayAssign)
    found.push(...assignments(text, credentials, isCut), ...turnedComparisons(text, credentials));
  if (isHinted) found.push(...valuesOfPairs(text, pairsNamedIn(text), isCut));
  found.push(...followers(text, found));
  if (text.includes('@') || text.includes('=')) found.push(...mailAddresses(text));
  if (identifierHint.test(text) && /[=:"'(<]/.test(text))
    found.push(...assignments(text, identifiers, isCut), ...turnedComparisons(text, identifiers));
  if (isCut) found.push(...lastWord(text), ...lastCompared(text));
  return found;
}

/** Every other form contains one of these signs or words. */
const formHint =
  /[@/{$]|-[-puUwanbc]|:\d{4,5}:|\(\s?["']|bearer|basic|token|digest|negotiate|splunk|ssws|key|pass|login|insert|identified|oauth|hmac|net |secure|ey[JIA]|ZXl/i;

/** Credentials that their form identifies. */
export function inForms(text: string): readonly Finding[] {
  const found: Finding[] = [];
  if (longWord.test(text) && mayBeToken.test(text)) found.push(...tokensIn(text));
  if (formHint.test(text)) found.push(...inFormats(text, privateKeys), ...inFormats(text, otherFormats));
  return found;
}

/** Words (none begins like a web token), names of fields, numbers, dates, times. */
const harmless = /^(?:[A-Z]?[a-z_.]+|[a-z]+(?:[A-Z][a-z]+){0,3}|[\d.,:+TZ-]+)$/;

/**
 * If a text was cut off, its last word can be the beginning of any token: it is redacted unless it is short,
 * a word or a number.
 */
function lastWord(text: string): readonly Finding[] {
  const word = /[^\s"'`,;(){}[\]<>]*$/.exec(text.slice(-4_096))?.[0] ?? '';
  if (word.length < 6 || (harmless.test(word) && !word.startsWith('eyJ'))) return [];
  return [
    finding('last word of a text that was cut off', text.length - word.length, text.length, 'doubtful'),
  ];
}

const compared =
  /\b(?:where|and|or|not|when)[ \t(]{1,8}["'](?<value>[^"'\n]{1,512})(?:["'][ \t]{0,4}(?:[=!<>]{1,3}[ \t]{0,4}[\w.]{0,60})?)?$/i;

/** A text at the end of a cut query might be compared with a field after the cut, `WHERE 'x' = password`. */
function lastCompared(text: string): readonly Finding[] {
  const from = Math.max(0, text.length - 700);
  const match = compared.exec(text.slice(from));
  const value = match?.groups?.['value'];
  if (match === null || value === undefined) return [];
  const start = from + match.index + match[0].search(/["']/) + 1;
  return [finding('text whose field was cut off', start, start + value.length, 'doubtful')];
}
