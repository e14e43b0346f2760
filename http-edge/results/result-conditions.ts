import type { ResultFilter } from './result-reader.js';

const conditions: Readonly<Record<keyof ResultFilter, string>> = {
  metric: 'AND metric = {metric:String}',
  contains: 'AND positionCaseInsensitiveUTF8(prompt, {contains:String}) > 0',
  outcome: "AND isNull(error) = ({outcome:String} = 'scored')",
};

/** Each begins with AND. */
export const conditionsOf = (filter: ResultFilter): string =>
  (Object.keys(filter) as (keyof ResultFilter)[]).map((name) => conditions[name]).join(' ');
