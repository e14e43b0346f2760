import type { SectionName } from '../../schemas/snapshots.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { FailureKind } from './call-failure.js';

/**
 * How a collection ended; `gap`: collected, but the spool was full; `skipped`: its interval passed unused.
 */
export type CollectionEnd = 'ok' | 'partial' | 'gap' | 'skipped' | FailureKind;

export interface CollectorInstruments {
  ended(section: SectionName, how: CollectionEnd): void;
  took(section: SectionName, ms: number): void;
}

export function collectorInstruments(metrics: Metrics): CollectorInstruments {
  const collections = metrics.counter(
    'telltale_agent_collections_total',
    'Collections of a section, by how they ended.',
    ['section', 'outcome'],
  );
  const seconds = metrics.histogram(
    'telltale_agent_collection_seconds',
    'How long a collection of a section took.',
    ['section'],
  );
  return {
    ended(section, outcome) {
      collections.inc({ section, outcome });
    },
    took(section, ms) {
      seconds.observe({ section }, ms / 1_000);
    },
  };
}
