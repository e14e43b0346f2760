import type { WatchOptions } from '../../agent/collectors/watch-options.js';
import { defaultCollectorSettings } from '../../agent/collectors/settings.js';
import { silentLogger } from '../../runtime/logging.js';
import type { Snapshot } from '../../schemas/snapshots.js';

type OfTheTest = 'client' | 'sections' | 'endpoint' | 'readClocks' | 'sleep' | 'random';

/** The snapshots and warnings of a watch. */
export interface Watched {
  readonly items: Snapshot[];
  readonly warnings: { readonly told: object; readonly text: string }[];
}

/** Options of a watch that keeps its snapshots and warnings in `watched`. */
export function watchOptions(
  given: Pick<WatchOptions, OfTheTest> & Partial<WatchOptions>,
  { items, warnings }: Watched,
): WatchOptions {
  return {
    settings: defaultCollectorSettings,
    reporter: 'host',
    diagnostics: () => [],
    put: (more) => {
      items.push(...more);
      return Promise.resolve();
    },
    known: null,
    met: () => undefined,
    claim: () => true,
    isOthers: () => false,
    logger: {
      ...silentLogger,
      warn: (told: object, text: string) => warnings.push({ told, text }),
    } as never,
    instruments: { ended: () => undefined, took: () => undefined },
    newId: () => `c${items.length}`,
    ...given,
  };
}
