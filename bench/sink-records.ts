import { randomBytes, randomUUID } from 'node:crypto';
import type { ScoringResult } from '../schemas/generated/scoring-result.js';
import type { TraceSpans } from '../schemas/generated/trace-spans.js';

const prompt = 'The parcel came late, but the people at the desk were patient and kind. '.repeat(5);

/** Figures differ from row to row, as those of texts do: equal figures are cheaper to write and to read. */
function metricsOf(index: number): string {
  const spread = (from: number, to: number, step: number): number =>
    Number((from + (((index * 7_919) % 1_009) / 1_009) * (to - from)).toFixed(step));
  return JSON.stringify({
    text_metrics: {
      created_at: '2026-01-01T00:00:00.000000Z',
      'prompt.has_patterns': null,
      'prompt.letter_count': spread(300, 900, 0),
      'prompt.lexicon_count': spread(60, 200, 0),
      'prompt.sentence_count': spread(2, 12, 0),
      'prompt.syllable_count': spread(90, 300, 0),
      'prompt.character_count': spread(350, 1_000, 0),
      'prompt.difficult_words': spread(2, 40, 0),
      'prompt.monosyllable_count': spread(30, 120, 0),
      'prompt.polysyllable_count': spread(2, 30, 0),
      'prompt.sentiment_lexicon': spread(-1, 1, 4),
      'prompt.flesch_reading_ease': spread(10, 100, 2),
      'prompt.automated_readability_index': spread(2, 18, 1),
      'prompt.aggregate_reading_level': spread(2, 18, 0),
      'prompt.flesch_kincaid_grade': spread(2, 18, 1),
      'prompt.smog_index': spread(2, 18, 1),
      'prompt.gunning_fog': spread(2, 18, 2),
      'prompt.coleman_liau_index': spread(2, 18, 2),
      'prompt.dale_chall_readability_score': spread(2, 12, 2),
      'prompt.linsear_write_formula': spread(2, 18, 1),
      'prompt.pii_engine.result': '[]',
      'prompt.pii_engine.entities_count': 0,
      'prompt.injection.proactive_detection': null,
      unavailable: 'No language model is configured: set LLM_BASE_URL and LLM_MODEL.',
    },
  });
}

export function resultOf(index: number): ScoringResult {
  const at = Date.now() * 1_000;
  return {
    id: randomUUID(),
    workspace: `bench-${index % 7}`,
    key_id: 'bench',
    lane: 'task',
    metric: 'text_metrics',
    prompt,
    response: null,
    metrics: metricsOf(index),
    error: null,
    scorer_versions: { text_metrics: 'bench/1' },
    accepted_at: at,
    appended_at: at,
    taken_at: at,
    scored_at: at,
    version: 0,
    pattern_places: {},
  };
}

const attributes = (names: readonly string[], index: number) => ({
  types: 's'.repeat(names.length),
  keys: [...names],
  values: names.map((name) => `${name} of ${index % 97}`),
});

const spanAttributes = [
  'http.request.method',
  'url.path',
  'http.route',
  'server.address',
  'user_agent.original',
];

/** Five spans of a trace, as a service that answers requests sends them. */
export function spansOf(index: number): TraceSpans {
  const start = BigInt(Date.now()) * 1_000_000n;
  const none = attributes([], 0);
  return {
    workspace: `bench-${index % 7}`,
    key_id: 'bench',
    application: 'shop',
    trace_id: randomBytes(16).toString('hex'),
    received_at: Date.now() * 1_000,
    resource: {
      attributes: attributes(['service.name', 'service.version', 'host.name', 'telemetry.sdk.name'], index),
      dropped_attributes_count: 0,
      schema_url: '',
    },
    scope: { name: 'http', version: '1.0.0', attributes: none, dropped_attributes_count: 0, schema_url: '' },
    spans: Array.from({ length: 5 }, (_, at) => ({
      span_id: randomBytes(8).toString('hex'),
      parent_span_id: at === 0 ? '' : randomBytes(8).toString('hex'),
      trace_state: '',
      flags: 1,
      name: `GET /parcels/${at}`,
      kind: 2,
      start: String(start + BigInt(at)),
      end: String(start + BigInt(at + index)),
      attributes: attributes(spanAttributes, index + at),
      dropped_attributes_count: 0,
      events:
        at === 0
          ? [{ time: String(start), name: 'taken', attributes: none, dropped_attributes_count: 0 }]
          : [],
      dropped_events_count: 0,
      links: [],
      dropped_links_count: 0,
      status_code: 0,
      status_message: '',
    })),
  };
}
