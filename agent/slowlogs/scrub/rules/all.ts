import type { Rule } from '../view.js';
import { argumentLists } from './argument-lists.js';
import { assignments } from './assignments.js';
import { authorization } from './authorization.js';
import { calls } from './calls.js';
import { cloudKeys } from './cloud-keys.js';
import { connectionStrings } from './connection-strings.js';
import { doubtfulFields } from './doubtful-fields.js';
import { drawnShapes } from './drawn-shapes.js';
import { jsonValues } from './json-values.js';
import { lastWord } from './last-word.js';
import { layouts } from './layouts.js';
import { markup } from './markup.js';
import { namedPairs } from './named-pairs.js';
import { prefixedTokens, unlistedTokens } from './prefixed-tokens.js';
import { privateKeys } from './private-keys.js';
import { publicAddresses } from './public-addresses.js';
import { siblingClauses } from './sibling-clauses.js';
import { sqlInserts } from './sql-inserts.js';
import { tokenShapes } from './token-shapes.js';
import { turnedComparisons } from './turned-comparisons.js';
import { unnamedValues } from './unnamed-values.js';
import { webHooks } from './web-hooks.js';
import { webTokens } from './web-tokens.js';

/** What a name in a text says of its value. */
export const spokenRules: readonly Rule[] = [
  assignments,
  argumentLists,
  turnedComparisons,
  sqlInserts,
  markup,
  layouts,
];

/** What a name says of its value. */
export const namedRules: readonly Rule[] = [
  jsonValues,
  namedPairs,
  siblingClauses,
  doubtfulFields,
  ...spokenRules,
];

/** What a value says of itself. */
export const shapeRules: readonly Rule[] = [
  webTokens,
  authorization,
  privateKeys,
  connectionStrings,
  calls,
  cloudKeys,
  prefixedTokens,
  unlistedTokens,
  tokenShapes,
  drawnShapes,
  webHooks,
];

/** What is hidden though it may be no credential: nothing beside it is one for that. */
export const doubtfulRules: readonly Rule[] = [publicAddresses, lastWord, unnamedValues];

export const allRules: readonly Rule[] = [...namedRules, ...shapeRules, ...doubtfulRules];
