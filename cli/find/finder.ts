import { findBatch } from './find-batch.js';
import { findKey } from './find-key.js';
import { findScoring } from './find-scoring.js';
import { findTrace } from './find-trace.js';
import type { Found } from './found.js';
import type { FindSources, Question } from './sources.js';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const uuidForm = new RegExp(`^${uuid}$`);
const batchForm = new RegExp(`^(${uuid})/(\\d{1,15})$`);
const traceForm = /^[0-9a-f]{32}$/;
/** After this time the search is reported as incomplete. */
const patienceMs = 900;

export interface FinderOptions extends FindSources {
  readonly patienceMs?: number;
}

/** Finds something by any id that a person has for it. */
export interface Finder {
  /**
   * Searches one workspace, or all if it is undefined: then an Idempotency-Key is searched in `keyWorkspace`.
   * Rejects with KAFKA_UNREACHABLE, REGISTRY_UNREACHABLE, CLICKHOUSE_UNREACHABLE or CLICKHOUSE_REFUSED.
   */
  find(id: string, workspace: string | undefined, keyWorkspace?: string): Promise<Found>;
}

export function createFinder({ patienceMs: patience = patienceMs, ...sources }: FinderOptions): Finder {
  return {
    async find(given, workspace, keyWorkspace = 'default') {
      const id = given.toLowerCase();
      const question: Question = { workspace, signal: AbortSignal.timeout(patience) };
      const key = (): Promise<Found> => findKey(given, workspace ?? keyWorkspace, question, sources);
      const first = await (findByForm(id, question, sources) ?? key());
      if (first.outcome !== 'not seen' || first.kind === 'idempotency key') return first;
      // A UUID can also be a spool's (the agent's status shows it). An Idempotency-Key can have any form.
      const others = await Promise.all([
        ...(uuidForm.test(id) ? [findBatch(id, { spool: id, sequence: undefined }, question, sources)] : []),
        key(),
      ]);
      const found = others.find(({ outcome }) => outcome !== 'not seen');
      return found ?? { ...first, complete: [first, ...others].every(({ complete }) => complete) };
    },
  };
}

/** Undefined if the id has none of the forms that Telltale assigns. */
function findByForm(id: string, question: Question, sources: FindSources): Promise<Found> | undefined {
  const [, spool, number] = batchForm.exec(id) ?? [];
  if (spool !== undefined) return findBatch(id, { spool, sequence: Number(number) }, question, sources);
  if (traceForm.test(id)) return findTrace(id, question, sources);
  return uuidForm.test(id) ? findScoring(id, question, sources) : undefined;
}
