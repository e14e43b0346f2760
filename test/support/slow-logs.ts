import { slowLogInstruments } from '../../agent/slowlogs/instruments.js';
import { scrubOperation } from '../../agent/slowlogs/scrub-operation.js';
import { ledgerFile, type LedgerFile } from '../../agent/slowlogs/ledger/ledger-file.js';
import { Ledger } from '../../agent/slowlogs/ledger/ledger.js';
import { SlowLogWatch, type SlowLogWatchOptions } from '../../agent/slowlogs/slow-log-watch.js';
import { entryForm, type SlowlogSettings } from '../../agent/integration/config/file-form.js';
import type { Outbox } from '../../agent/component.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';

export const clusterUuid = 'ZPqtMNDPRMSUuCkhIX8ZPQ';

/** The defaults of integration.json with these changes. */
function slowlogSettings(changes: Partial<SlowlogSettings>): SlowlogSettings {
  const { slowlog } = entryForm.parse({ service: 'elasticsearch', host: 'es', port: '9200' });
  return { ...slowlog, ...changes };
}

/** One hour ago: entries that are too old are not accepted. */
const firstSearched = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
const searchedAt = (number: number): number => firstSearched + number;

/** A unique line of a 7.x JSON log. */
export function searchLine(number: number, tookMs = 5): string {
  const at = new Date(searchedAt(number)).toISOString().replace('.', ',');
  return `{"type": "index_search_slowlog", "timestamp": "${at}", "level": "WARN", "component": "i.s.s.query", "cluster.name": "shop", "node.name": "n1", "message": "[orders][0]", "took": "${tookMs}ms", "took_millis": "${tookMs}", "source": "{\\"query\\":{\\"match\\":{\\"number\\":${number}}}}", "cluster.uuid": "${clusterUuid}"}\n`;
}

/** The same entry as text, from a node in this process's time zone. 6.x writes only text, 7.x writes both. */
export function plainSearchLine(number: number, tookMs = 5): string {
  const at = new Date(searchedAt(number));
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  const time = local.toISOString().replace('.', ',').replace('Z', '');
  return `[${time}][WARN ][index.search.slowlog.query] [n1] [orders][0] took[${tookMs}ms], took_millis[${tookMs}], total_hits[1], types[], stats[], search_type[QUERY_THEN_FETCH], total_shards[1], source[{"query":{"match":{"number":${number}}}}], \n`;
}

/** A line of an 8.x log, whose sources are escaped twice and precede the identifying fields. */
export function ecsLine(source: string): string {
  const escaped = JSON.stringify(source).slice(1, -1);
  return `{"@timestamp":"${new Date(firstSearched).toISOString()}", "log.level": "WARN", "elasticsearch.slowlog.id":null,"elasticsearch.slowlog.message":"[orders][0]","elasticsearch.slowlog.search_type":"QUERY_THEN_FETCH","elasticsearch.slowlog.source":${JSON.stringify(escaped)},"elasticsearch.slowlog.stats":"[]","elasticsearch.slowlog.took":"7ms","elasticsearch.slowlog.took_millis":7,"elasticsearch.slowlog.total_hits":"1 hits","elasticsearch.slowlog.total_shards":1 , "ecs.version": "1.2.0","event.dataset":"elasticsearch.index_search_slowlog","log.logger":"index.search.slowlog.query","elasticsearch.cluster.uuid":"${clusterUuid}","elasticsearch.node.name":"n1","elasticsearch.cluster.name":"shop"}\n`;
}

/** The numbers in the queries that an outbox took, in order. */
export function numbersIn(outbox: {
  readonly taken: readonly { readonly items: readonly object[] }[];
}): readonly number[] {
  return outbox.taken.flatMap(({ items }) =>
    items.map((item) => Number(/"number":(\d+)/.exec((item as { query: string }).query)?.[1])),
  );
}

export interface WatchChanges extends Partial<SlowLogWatchOptions> {
  /** The watch's page in it is `shop`. */
  readonly ledger?: Ledger;
}

/** The ledger of the logs in a folder, as a new process reads it. */
export function ledgerIn(
  folder: string,
  outbox: Outbox,
  file: LedgerFile = ledgerFile(`${folder}/state`),
): Promise<Ledger> {
  return Ledger.open(file, outbox);
}

/** A watch over a folder, scrubbing in this thread. */
export async function watchOver(
  folder: string,
  outbox: Outbox,
  { ledger, ...changes }: WatchChanges = {},
  settings: Partial<SlowlogSettings> = {},
): Promise<SlowLogWatch> {
  return new SlowLogWatch({
    settings: slowlogSettings({ logDirectories: [`${folder}/logs`], ...settings }),
    whoIsIt: () => Promise.resolve({ uuid: clusterUuid, name: 'shop' }),
    endpoint: (ledger ?? (await ledgerIn(folder, outbox))).tail('shop'),
    scrubber: {
      scrub: (jobs) => Promise.resolve(jobs.map(scrubOperation)),
      stop: () => Promise.resolve(),
    },
    elsewhere: () => undefined,
    digestKey: 'key',
    instruments: slowLogInstruments(createMetrics()),
    logger: silentLogger,
    now: Date.now,
    ...changes,
  });
}
