import { slowLogInstruments } from '../../agent/slowlogs/instruments.js';
import { scrubOperation } from '../../agent/slowlogs/scrub/scrub-operation.js';
import { SlowLogWatch, type SlowLogWatchOptions } from '../../agent/slowlogs/slow-log-watch.js';
import { stateFile } from '../../agent/slowlogs/tail/positions.js';
import { entryForm, type SlowlogSettings } from '../../agent/integration/config/file-form.js';
import type { Outlet } from '../../agent/part.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';
import type { memoryOutlet } from './agent-parts.js';

export const clusterUuid = 'ZPqtMNDPRMSUuCkhIX8ZPQ';

/** The defaults of integration.json, but for these. */
export function slowlogSettings(changes: Partial<SlowlogSettings>): SlowlogSettings {
  const { slowlog } = entryForm.parse({ service: 'elasticsearch', host: 'es', port: '9200' });
  return { ...slowlog, ...changes };
}

/** A line of a 7.x JSON log that nobody else has written. */
export function searchLine(number: number, tookMs = 5): string {
  const at = new Date(1_763_708_898_000 + number).toISOString().replace('.', ',');
  return `{"type": "index_search_slowlog", "timestamp": "${at}", "level": "WARN", "component": "i.s.s.query", "cluster.name": "shop", "node.name": "n1", "message": "[orders][0]", "took": "${tookMs}ms", "took_millis": "${tookMs}", "source": "{\\"query\\":{\\"match\\":{\\"number\\":${number}}}}", "cluster.uuid": "${clusterUuid}"}\n`;
}

/** The numbers in the queries that an outlet took, in order. */
export function numbersIn(outlet: ReturnType<typeof memoryOutlet>): readonly number[] {
  return outlet.taken.flatMap(({ items }) =>
    items.map((item) => Number(/"number":(\d+)/.exec((item as { query: string }).query)?.[1])),
  );
}

/** A watch over a folder, scrubbing in this thread. */
export function watchOver(
  folder: string,
  outlet: Outlet,
  changes: Partial<SlowLogWatchOptions> = {},
  settings: Partial<SlowlogSettings> = {},
): SlowLogWatch {
  return new SlowLogWatch({
    settings: slowlogSettings({ logDirectories: [`${folder}/logs`], ...settings }),
    whoIsIt: () => Promise.resolve({ uuid: clusterUuid, name: 'shop' }),
    state: stateFile(`${folder}/state/shop.json`),
    scrubber: {
      scrub: (jobs) => Promise.resolve(jobs.map(scrubOperation)),
      stop: () => Promise.resolve(),
    },
    outlet,
    exclusively: (act) => act(),
    claim: () => true,
    digestKey: 'key',
    instruments: slowLogInstruments(createMetrics()),
    logger: silentLogger,
    now: Date.now,
    ...changes,
  });
}
