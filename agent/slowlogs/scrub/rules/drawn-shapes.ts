import { looksDrawn, looksEncoded, looksRandom } from '../randomness.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type Rule, type View } from '../view.js';
import { matchesOf } from './matches.js';
import { Alphabet, Runs } from './runs.js';

const always = (): boolean => true;
/** Documentation writes few characters again and again. */
const isNoPlaceholder = (text: string): boolean => looksRandom(text.slice(-32));
const isDrawn = (text: string): boolean => looksDrawn(text, 14);
const isEncoded = (text: string): boolean => looksDrawn(text, 14) && looksEncoded(text);

/** Forms that little but chance makes out: what each text must hold, the form, and what it must look like. */
const shapes: readonly (readonly [needs: string, form: RegExp, looks: (text: string) => boolean])[] = [
  // Airtable before its personal tokens
  ['key', /(?<![A-Za-z0-9_-])key[A-Za-z0-9]{14}(?![A-Za-z0-9_-])/g, (text) => changesOften(text.slice(3))],
  // Twitter: an id of a user and a secret
  ['-', /(?<![A-Za-z0-9_-])\d{15,19}-[A-Za-z0-9]{40}(?![A-Za-z0-9_-])/g, isEncoded],
  // Plivo
  ['A', /(?<![A-Za-z0-9])[MS]A[A-Z0-9]{18}(?![A-Za-z0-9_-])/g, isDrawn],
  // ngrok
  ['_', /(?<![A-Za-z0-9_-])2[A-Za-z0-9]{26}_[A-Za-z0-9]{18,24}(?![A-Za-z0-9])/g, isDrawn],
  // Ghost: an id and a secret
  [':', /(?<![A-Za-z0-9])[0-9a-f]{24}:[0-9a-f]{64}(?![A-Za-z0-9])/g, isNoPlaceholder],
  // Salesforce: an organisation and a session, and refresh tokens
  ['!', /(?<![A-Za-z0-9])00[A-Za-z0-9]{10,16}![A-Za-z0-9_.]{80,200}/g, always],
  ['5A', /(?<![A-Za-z0-9])5A(?:ep|EP)861[A-Za-z0-9._=]{40,200}/g, always],
  // Webex, Tableau, Tatum, Zoho
  ['_', /(?<![A-Za-z0-9])[A-Za-z0-9]{64}_[A-Z0-9]{4}_[0-9a-f-]{36}(?![A-Za-z0-9-])/g, always],
  ['==:', /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32}(?![A-Za-z0-9])/g, always],
  ['t-', /(?<![A-Za-z0-9-])t-[a-f0-9]{24}-[a-f0-9]{24}(?![A-Za-z0-9-])/g, always],
  ['1000.', /(?<![A-Za-z0-9.])1000\.[a-f0-9]{32}\.[a-f0-9]{32}(?![A-Za-z0-9.])/g, always],
  // Dropbox: tokens that do not expire
  ['AAAAAAAAAA', /(?<![A-Za-z0-9_-])[A-Za-z0-9]{11}AAAAAAAAAA[A-Za-z0-9_=-]{43}(?![A-Za-z0-9_=-])/g, always],
  // Twitch
  ['oauth:', /(?<=(?<![A-Za-z0-9])oauth:)[a-z0-9]{30}(?![A-Za-z0-9])/g, isDrawn],
  // FullStory, Shutterstock
  ['na1.', /(?<![A-Za-z0-9.])na1\.[A-Za-z0-9+/]{90,110}(?![A-Za-z0-9])/g, always],
  ['v2/', /(?<![A-Za-z0-9])v2\/[A-Za-z0-9]{380,400}(?![A-Za-z0-9])/g, always],
  // Mapbox, LocationIQ
  ['pk.', /(?<![A-Za-z0-9.])pk\.(?:[a-f0-9]{32}|[A-Za-z0-9]{60}\.[A-Za-z0-9]{22})(?![A-Za-z0-9])/g, always],
  // Figma before its prefixes: a random UUID (RFC 9562), not one made of a time
  [
    '-',
    /(?<![A-Za-z0-9-])\d{5,7}-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![A-Za-z0-9-])/g,
    isNoPlaceholder,
  ],
  // Apps of GitHub and WeChat
  ['Iv', /(?<![A-Za-z0-9])Iv(?:1\.[a-f0-9]{16}|23[A-Za-z0-9]{16})(?![A-Za-z0-9])/g, always],
  ['wx', /(?<![A-Za-z0-9])wx[a-f0-9]{16}(?![A-Za-z0-9])/g, isDrawn],
  // Convex: a deployment and its key
  ['|', /(?<![A-Za-z0-9])(?:prod|dev|preview):[a-z]{3,20}-[a-z]{3,20}-\d{1,4}\|[A-Za-z0-9+/=]{40,}/g, always],
];

export const drawnShapes: Rule = {
  name: 'drawn-shapes',
  find: (view) => [
    ...beamerTokens(view),
    ...shapes.flatMap(([needs, form, looks]) =>
      view.plain.includes(needs) ? matchesOf(view, form, ({ 0: text }) => looks(text)) : [],
    ),
  ],
};

const ofWords = Alphabet.of('[A-Za-z0-9_-]');
const ofBeamer = Alphabet.of('[A-Za-z0-9+/=_-]');

/** `b_` and 43 or 44 characters. Many may begin within one run of them, of which each would be read anew by an expression. */
function beamerTokens(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  const runs = new Runs(units);
  for (let at = units.text.indexOf('b_'); at !== -1 && at < units.length; at += 1) {
    if (units.at(at) !== smallB || units.at(at + 1) !== underscore) continue;
    if (ofWords.has(units.at(at - 1))) continue;
    const run = runs.endOf(ofBeamer, at);
    const end = endOfBeamer(units, at, run);
    if (end > run) continue;
    if (isDrawn(units.text.slice(at, end))) {
      const until = Math.min(end, view.stringEnd(at));
      spans.push(inSource(view, at, until));
      at = Math.max(until, at + 1) - 1;
    } else at = end - 1;
  }
  return spans;
}

const [underscore, smallB] = [95, 98];

/** Where one ends that begins at a place, behind the run that it begins in where none does. */
function endOfBeamer(units: Units, at: number, run: number): number {
  for (let end = at + 46; end >= at + 45; end -= 1) if (end <= run && !ofWords.has(units.at(end))) return end;
  return Infinity;
}

/** Of characters drawn by chance, most are followed by one of another kind: a small or a capital letter, or a digit. */
function changesOften(text: string): boolean {
  const changes = text.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return /\d/.test(text) && changes >= 0.38 * (text.length - 1);
}
