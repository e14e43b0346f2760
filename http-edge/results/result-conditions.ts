import type { ResultFilter } from './result-reader.js';

type Bounded = 'score' | 'min' | 'max';

const conditions: Readonly<Record<Exclude<keyof ResultFilter, Bounded>, string>> = {
  metric: 'AND metric = {metric:String}',
  contains: 'AND positionCaseInsensitiveUTF8(prompt, {contains:String}) > 0',
  outcome: "AND isNull(error) = ({outcome:String} = 'scored')",
  lane: 'AND lane = {lane:String}',
  key: 'AND key_id = {key:String}',
  label: `AND (prompt_closest_topic = {label:String} OR prompt_has_patterns = {label:String}
         OR has(prompt_pii_types, {label:String}) OR response_closest_topic = {label:String}
         OR response_has_patterns = {label:String} OR has(response_pii_types, {label:String}))`,
};

/** The score is a column name that the caller has checked. Results without it are in no range of it. */
const ofScore = ({ score, min, max }: ResultFilter): readonly string[] =>
  score === undefined
    ? []
    : [
        ...(min === undefined ? [] : [`AND ${score} >= {min:Float64}`]),
        ...(max === undefined ? [] : [`AND ${score} <= {max:Float64}`]),
      ];

/** Conditions that each begin with AND. */
export const conditionsOf = (filter: ResultFilter): string =>
  [
    ...Object.entries(conditions).flatMap(([name, condition]) => (name in filter ? [condition] : [])),
    ...ofScore(filter),
  ].join(' ');
