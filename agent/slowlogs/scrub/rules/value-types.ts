import type { Units } from '../units.js';
import { behind, skip } from './reading.js';
import { Alphabet } from './runs.js';

/** Between a name and its value, as typed languages write it: `token: string = "…"`. */
const typed =
  /(?:&|std::)?(?:[sS]tr(?:ing)?|[tT]ext|[cC]har|any|Secret|SecureString)\??[ \t]{0,2}=[ \t]{0,2}(?=["'`])/y;

const first = Alphabet.of('[&sStTcCa]');
const second = Alphabet.of('[tehnsSTCa]');
const ofTypes = Alphabet.of('[A-Za-z&:]');
const behindTypes = Alphabet.of('[?= \\t]');
const longest = 'std::SecureString'.length;

/** Whether a type may stand at a place: it is told by what is cheap to read. */
export const mayBeType = (units: Units, at: number): boolean =>
  first.has(units.at(at)) &&
  second.has(units.at(at + 1)) &&
  behindTypes.has(units.at(skip(units, ofTypes, at, longest)));

/** Where the value begins behind the type at a place; -1 where none stands there. */
export const behindType = (units: Units, at: number): number =>
  mayBeType(units, at) ? behind(typed, units, at) : -1;
