import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';
import { queries, searches, type Searched } from './search-forms.js';

/** Field names, the values searched for in them, and the other contents of the search. */
export interface Group {
  readonly fields: readonly string[];
  readonly values: readonly Searched['value'][];
  /** A credential next to the searched value: in a clause of a search, and in a text. */
  readonly beside?: { readonly json: unknown; readonly text: string };
  /** Kinds of search to skip. A runtime field's script contains no values, so only sure credentials go. */
  readonly except?: readonly string[];
}

const credential = 'hunter2';
const random = 'Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Kl';

/** Search fields that say nothing about people. */
export const ordinary: Group = {
  fields: [
    'title',
    'status',
    'message.keyword',
    'author',
    'price',
    'tokenizer',
    'order.region',
    'keyword',
    'passage',
    'token.type',
  ],
  values: ['blue-shoes', 'open', 'v2.14.0', 4711],
};

export const groups: Readonly<Record<string, Group>> = {
  'a name that is a credential for sure': {
    fields: [
      'password', 'apiKey', 'session_token', 'client-secret', 'user.password', 'auth.pwd.keyword', 'API_KEY.raw', 'X-Api-Key',
      'pin', 'Authorization', 'userPassphrase', 'db_pass', 'credentials.github',
    ],
    values: ['hunter2', random, 'correct-horse-battery', 73190255],
  },
  'a name that may be one': {
    fields: ['session', 'key', 'user.session', 'Signature.keyword', 'access_key_id', 'sessionKeys', 'x-key'],
    values: [random, 'a1b2c3d4e5f60718293a4b5c6d7e8f90'],
    except: ['runtime_mappings'],
  },
  'a name of a service': {
    fields: ['stripe_key', 'github', 'datadog.keyword', 'Twilio', 'my_dropbox.raw'],
    values: [random, 'a1b2c3d4e5f60718293a4b5c6d7e8f90'],
    except: ['runtime_mappings'],
  },
  'a name of somebody beside a credential': {
    fields: ['username', 'user.name', 'login.keyword', 'e_mail', 'accountName', 'client_id'],
    values: ['bobby-tables-7', 'ann42.of.shop'],
    beside: { json: { term: { password: { value: credential } } }, text: `password:"${credential}" AND ` },
    except: ['runtime_mappings'],
  },
}; // prettier-ignore

export interface Case {
  readonly kind: string;
  readonly embedding: string;
  readonly field: string;
  readonly value: string;
  readonly text: string;
  /** The text that must be gone: the value, or the rest of it after a cut. */
  readonly gone: string;
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
/** A string as System.Text.Json writes it, with quotation marks as `\u0022`. */
const asByNet = (text: string): string => `"${escaped(text).replaceAll('\\"', '\\u0022')}"`;
const logLine = (source: string): string =>
  '[2026-11-22T05:06:07,089][WARN ][index.search.slowlog.query] [node-1] [users][0] took[1.2s], took_millis[1234], ' +
  `total_hits[1+ hits], stats[], search_type[QUERY_THEN_FETCH], total_shards[1], source[${source}], id[], `;

/** Ways in which JSON gets into a scrubbed text. */
const jsonEmbeddings: Readonly<Record<string, (json: unknown) => string>> = {
  plain: (json) => JSON.stringify(json),
  'on several lines': (json) => JSON.stringify(json, null, 2),
  'escaped once': (json) => escaped(JSON.stringify(json)),
  'escaped twice': (json) => escaped(escaped(JSON.stringify(json))),
  'several lines, escaped': (json) => escaped(JSON.stringify(json, null, 2)),
  'in a string of JSON': (json) => JSON.stringify({ took: 1, source: JSON.stringify(json), a: 'b' }),
  'in a string by .NET': (json) => `{"took":1,"source":${asByNet(JSON.stringify(json))},"a":"b"}`,
  'in a string by .NET within JSON': (json) =>
    JSON.stringify({ source: `{"took":1,"body":${asByNet(JSON.stringify(json))}}`, a: 'b' }),
  'in a line of 7.x': (json) => logLine(JSON.stringify(json)),
  'several lines in an entry of 7.x': (json) => logLine(JSON.stringify(json, null, 2)),
  'escaped in a line of text': (json) => `could not parse "${escaped(JSON.stringify(json))}", gave up`,
  'keys in Unicode': (json) =>
    JSON.stringify(json).replace(/(?<=[{,]")[\w.@-]+(?=":)/g, (key) =>
      key.length < 4 ? key : `${key[0]}\\u00${key.charCodeAt(1).toString(16)}${key.slice(2)}`,
    ),
};

/** Ways in which a text query gets into a scrubbed text. */
const textEmbeddings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'as a query': (text) => JSON.stringify({ query: text, columnar: false }),
  'as a query_string': (text) =>
    JSON.stringify({ query: { query_string: { query: text, fields: [], escape: false } } }),
  'as a script': (text) => JSON.stringify({ query: { script: { script: { source: text, lang: 'a' } } } }),
  'escaped once': (text) => escaped(JSON.stringify({ query: text, columnar: false })),
  'escaped twice': (text) => escaped(escaped(JSON.stringify({ query: text, columnar: false }))),
  'in a line of 7.x': (text) => logLine(JSON.stringify({ query: { query_string: { query: text } } })),
};

/** A text, and its remainders after a cut behind the value or within it. */
function* cutsOf(text: string, value: string): Iterable<readonly [cut: string, text: string, gone: string]> {
  yield ['', text, value];
  const at = text.lastIndexOf(value);
  if (at === -1) return;
  yield [', cut off behind it', text.slice(0, at + value.length), value];
  const kept = Math.max(6, Math.ceil(value.length * 0.7));
  if (kept < value.length) yield [', cut off within it', text.slice(0, at + kept), value.slice(0, kept)];
}

/** Whether the field's name, in any spelling, precedes the value. */
function isNamedFirst(text: string, field: string, value: string): boolean {
  const named = text.lastIndexOf(field.length < 4 || text.includes(field) ? field : field.slice(2));
  return named !== -1 && named < text.lastIndexOf(value);
}

/** Whether a credential in the text is near enough to the value to belong to it. */
function isNear(text: string, value: string): boolean {
  const [first, at, last] = [text.indexOf(credential), text.lastIndexOf(value), text.lastIndexOf(credential)];
  return first === -1 || value.includes(credential) || at - first < 400 || (last > at && last - at < 400);
}

/** Every search of every group, in every embedding, whole and cut off. */
export function* casesOf({ fields, values, beside, except = [] }: Group): Iterable<Case> {
  for (const field of fields)
    for (const value of values) {
      for (const [kind, search] of searches) {
        const searched = search({ field, value });
        if (except.includes(kind)) continue;
        const json =
          beside === undefined
            ? searched
            : { first: beside.json, ...(searched as object), last: beside.json };
        for (const [embedding, embed] of Object.entries(jsonEmbeddings))
          yield* embeddedCases(kind, embedding, field, String(value), embed(json));
      }
      for (const [kind, query] of Object.entries(queries)) {
        const text = query({ field, value });
        for (const [embedding, embed] of Object.entries(textEmbeddings))
          yield* embeddedCases(kind, embedding, field, String(value), embed(`${beside?.text ?? ''}${text}`));
      }
    }
}

function* embeddedCases(
  kind: string,
  embedding: string,
  field: string,
  value: string,
  whole: string,
): Iterable<Case> {
  for (const [cut, text, gone] of cutsOf(whole, value)) {
    // A value that is cut off before its field's name cannot be recognised as a credential.
    if (cut !== '' && !isNamedFirst(text, field, gone)) continue;
    if (!isNear(text, gone)) continue;
    yield { kind, embedding: `${embedding}${cut}`, field, value, text, gone };
  }
}

/** Whether half of the text that must be gone is still there. */
export function survives({ text, gone }: Case): boolean {
  const left = scrubText(text).text;
  const half = Math.max(5, Math.ceil(gone.length / 2));
  const around = text.replaceAll(gone, '\n');
  for (let at = 0; at + half <= gone.length; at += 1) {
    const part = gone.slice(at, at + half);
    if (left.includes(part) && !around.includes(part)) return true;
  }
  return false;
}
