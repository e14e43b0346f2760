import { metricDeclarations } from '../../schemas/metrics.js';
import { scores, standardScore, type Score } from '../../schemas/scores.js';
import { isLongerThan } from '../../schemas/text-length.js';
import type { CursorForm } from '../clusters/cursors.js';
import { timeRangeOf } from '../clusters/filters.js';
import { invalid, valueOf } from '../clusters/query.js';
import type { AfterResult, BoundedRange, ResultFilter } from './result-reader.js';

const dayUs = 86_400_000_000;
const standardDays = 1;
const mostDays = 31;
const longestText = 200;

/** The range of a query: the last day by default, and at most the 31 days before its end. */
export function boundedRangeOf(query: URLSearchParams, nowMs: number): BoundedRange {
  const { from, to = Math.round(nowMs * 1_000) } = timeRangeOf(query);
  if (from !== undefined && from >= to) throw invalid('from', '`from` must be earlier than now.');
  return { from: Math.max(from ?? to - standardDays * dayUs, to - mostDays * dayUs, 0), to };
}

export function resultFilterOf(query: URLSearchParams): ResultFilter {
  const metric = valueOf(query, 'metric');
  const contains = valueOf(query, 'contains');
  const outcome = valueOf(query, 'outcome');
  if (metric !== null && metric !== 'all' && !metricDeclarations.some(({ key }) => key === metric))
    throw invalid('metric', '`metric` must be the key of a metric, such as text_metrics, or `all`.');
  if (contains !== null && (contains === '' || isLongerThan(contains, longestText)))
    throw invalid('contains', `\`contains\` must have 1 to ${longestText} characters.`);
  if (outcome !== null && outcome !== 'scored' && outcome !== 'failed')
    throw invalid('outcome', '`outcome` must be `scored` or `failed`.');
  const lane = valueOf(query, 'lane');
  if (lane !== null && lane !== 'task' && lane !== 'realtime')
    throw invalid('lane', '`lane` must be `task` or `realtime`.');
  return {
    ...(lane !== null && { lane }),
    ...(metric !== null && { metric }),
    ...(contains !== null && { contains }),
    ...(outcome !== null && { outcome }),
    ...nameOf(query, 'key'),
    ...nameOf(query, 'label'),
    ...scoreRangeOf(query),
  };
}

function nameOf<Name extends 'key' | 'label'>(query: URLSearchParams, name: Name): Pick<ResultFilter, Name> {
  const text = valueOf(query, name);
  if (text !== null && (text === '' || isLongerThan(text, longestText)))
    throw invalid(name, `\`${name}\` must have 1 to ${longestText} characters.`);
  return (text === null ? {} : { [name]: text }) as Pick<ResultFilter, Name>;
}

function scoreRangeOf(query: URLSearchParams): Pick<ResultFilter, 'score' | 'min' | 'max'> {
  const [min, max] = [numberOf(query, 'min'), numberOf(query, 'max')];
  if (min === undefined && max === undefined) return {};
  if (min !== undefined && max !== undefined && max < min)
    throw invalid('max', '`max` must not be less than `min`.');
  return { score: scoreOf(query), ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

function numberOf(query: URLSearchParams, parameter: string): number | undefined {
  const text = valueOf(query, parameter);
  if (text === null) return undefined;
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  throw invalid(parameter, `\`${parameter}\` must be a number, such as 0.8.`);
}

/** The requested score, or the standard one. */
export function scoreOf(query: URLSearchParams): Score {
  const text = valueOf(query, 'score') ?? standardScore;
  const score = scores.find((name) => name === text);
  if (score !== undefined) return score;
  throw invalid(
    'score',
    '`score` must be the column of a score, such as prompt_toxicity; the document lists them.',
  );
}

export const afterResult: CursorForm<AfterResult> = {
  read(text) {
    const [, at, id] = /^r-(\d{1,16})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
    return id === undefined || !Number.isSafeInteger(Number(at)) ? undefined : { at: Number(at), id };
  },
  write: ({ at, id }) => `r-${at}-${id}`,
};
