import { randomUUID } from 'node:crypto';
import type { ScoringResult } from '../../schemas/generated/scoring-result.js';
import type { Origin, ResultRow } from './result-rows.js';

export const hour = 3_600_000;
const day = 24 * hour;
const now = Date.now();

/** Start of the hour before the last full hour, which is within the last day. Milliseconds since 1970. */
export const recentHour = Math.floor(now / hour) * hour - 2 * hour;

/** The UTC day this many days ago, as ClickHouse writes it. */
export const sentimentDay = (daysAgo: number): string =>
  new Date(now - daysAgo * day).toISOString().slice(0, 10);

/** The call that waited 905 ms for a processor. */
export const slowest = randomUUID();

interface Sample {
  readonly at: number;
  readonly metrics: ScoringResult['metrics'];
  readonly changes: Partial<ScoringResult>;
  readonly waitedMs?: number;
  readonly position: Pick<Origin, 'partition' | 'offset' | 'previous'>;
}

/** Times in milliseconds: 3 to append, 10 to wait, 20 to score, 4 to append the result, 100 until it is inserted. */
function row({ at, metrics, changes, waitedMs = 10, position }: Sample): ResultRow {
  const micros = at * 1_000;
  const takenAt = micros + 3_000 + waitedMs * 1_000;
  const resultAppendedAt = takenAt + 24_000;
  const result: ScoringResult = {
    id: randomUUID(),
    workspace: 'harbour',
    key_id: 'k1',
    lane: 'task',
    metric: 'text_metrics',
    prompt: 'The ferry was late.',
    response: null,
    metrics,
    error: null,
    scorer_versions: {},
    accepted_at: micros,
    appended_at: micros + 3_000,
    taken_at: takenAt,
    scored_at: takenAt + 20_000,
    version: 0,
    pattern_places: {},
    ...changes,
  };
  const origin = { ...position, resultAppendedAt, insertedAt: resultAppendedAt + 100_000 };
  return { value: result, origin };
}

const json = (metrics: Readonly<Record<string, object>>): string => JSON.stringify(metrics);

interface Measures {
  readonly sentiment: number;
  readonly ease: number;
  readonly grade: number;
  readonly syllables: number;
  readonly pattern?: string;
}

const measuresOf = ({ sentiment, ease, grade, syllables, pattern }: Measures): object => ({
  created_at: '2026-01-01T00:00:00.000000Z',
  'prompt.has_patterns': pattern ?? null,
  'prompt.character_count': 40,
  'prompt.lexicon_count': 10,
  'prompt.syllable_count': syllables,
  'prompt.sentiment_lexicon': sentiment,
  'prompt.flesch_reading_ease': ease,
  'prompt.flesch_kincaid_grade': grade,
});

const entities = (...types: readonly string[]): string =>
  JSON.stringify(types.map((type) => ({ type, start: '0', end: '5', score: '0.9' })));

function combined(measures: Measures, response: object, piiTypes: readonly string[]): string {
  return json({
    text_metrics: measuresOf(measures),
    theme_similarity: response,
    detected_pii: {
      'prompt.pii_engine.result': entities(...piiTypes),
      'prompt.pii_engine.entities_count': piiTypes.length,
    },
    hallucination: { final_score: null, unavailable: 'No language model is configured.' },
    text_toxicity: { 'prompt.toxicity': null, unavailable: 'No toxicity model is configured.' },
  });
}

/** Four requests for text metrics, two combined calls, one for a metric that could not be computed, and old ones. */
export function sampleRows(): readonly ResultRow[] {
  const [first, second] = [{ text_metrics: 'textstat/1' }, { text_metrics: 'textstat/2' }];
  const textMetrics = (offset: number, measures: Measures, versions: Record<string, string>): ResultRow =>
    row({
      at: recentHour + offset,
      metrics: json({ text_metrics: measuresOf(measures) }),
      changes: { scorer_versions: versions },
      position: { partition: 0, offset, previous: offset - 1 },
    });
  const failed = row({
    at: recentHour + 4,
    metrics: null,
    changes: { error: 'The calculation failed.' },
    position: { partition: 0, offset: 3, previous: 2 },
  });
  return [
    textMetrics(0, { sentiment: 0.3, ease: 66, grade: 7, syllables: 14, pattern: 'email address' }, first),
    textMetrics(1, { sentiment: -0.1, ease: 62, grade: 8, syllables: 16 }, first),
    textMetrics(2, { sentiment: 0.5, ease: -20, grade: 21, syllables: 28 }, second),
    failed,
    ...lighthouseRows(second),
    ...sentimentRows(),
  ];
}

/** The third row names a predecessor that is missing. */
function lighthouseRows(versions: Record<string, string>): readonly ResultRow[] {
  const measures: Measures = { sentiment: 0.5, ease: 100, grade: 2, syllables: 16 };
  const ofLighthouse = { workspace: 'lighthouse', key_id: 'k2' };
  const call = {
    ...ofLighthouse,
    lane: 'realtime',
    metric: 'all',
    response: 'By the sea.',
    scorer_versions: versions,
  };
  const at = recentHour + hour;
  return [
    row({
      at,
      metrics: combined({ ...measures, pattern: 'email address' }, {}, ['EMAIL_ADDRESS', 'EMAIL_ADDRESS']),
      changes: call,
      position: { partition: 1, offset: 8, previous: -1 },
      waitedMs: 5,
    }),
    row({
      at: at + 1,
      metrics: combined(
        { ...measures, pattern: 'SSN' },
        { 'response.has_patterns': 'phone number', 'response.pii_engine.result': entities('PHONE_NUMBER') },
        ['EMAIL_ADDRESS', 'CREDIT_CARD'],
      ),
      changes: { ...call, id: slowest },
      position: { partition: 1, offset: 9, previous: 8 },
      waitedMs: 905,
    }),
    row({
      at: at + 2,
      metrics: null,
      changes: { ...ofLighthouse, metric: 'hallucination', error: 'No language model is configured.' },
      position: { partition: 1, offset: 14, previous: 11 },
    }),
  ];
}

/** Only sentiment: an old record that is stored twice, then three consecutive days. */
function sentimentRows(): readonly ResultRow[] {
  const samples: readonly (readonly [daysAgo: number, sentiment: number, offset: number])[] = [
    [40, 0.1, 4],
    [12, 0.8, 5],
    [12, 0.4, 6],
    [11, 0.6, 8],
    [11, -0.4, 9],
    [10, -0.7, 10],
  ];
  const rows = samples.map(([daysAgo, sentiment, offset], index) =>
    row({
      at: now - daysAgo * day,
      metrics: json({ text_sentiment: { 'prompt.sentiment_lexicon': sentiment } }),
      changes: { metric: 'text_sentiment', scorer_versions: { text_sentiment: 'vader/1' } },
      position: { partition: 0, offset, previous: samples[index - 1]?.[2] ?? 3 },
    }),
  );
  return [...rows, ...rows.slice(0, 1)];
}
