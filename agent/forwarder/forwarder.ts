import { join } from 'node:path';
import type { Logger } from '../../runtime/logging.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { AgentReportBody } from '../../schemas/agent-report.js';
import type { LiveConfig } from '../live-config.js';
import { datasets, type Dataset, type Outbox } from '../component.js';
import { realDisk, type Disk } from '../spool/disk.js';
import { lockFolder, openSpool, type Spool } from '../spool/spool.js';
import { DatasetLoop, standardTiming, type ForwarderTiming } from './dataset-loop.js';
import { createBatchPoster } from './post-batch.js';
import { createQuarantine, quarantineFolderOf } from './quarantine.js';
import { createForwarderMetrics } from './forwarder-metrics.js';
import { oldestOf, reportOf } from './report.js';
import { Waiting } from './waiting.js';

export interface ForwarderOptions {
  readonly config: LiveConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly disk?: Disk;
  readonly timing?: ForwarderTiming;
}

/** The way to the server: items go to disk first, and from there, batch by batch, to the server. */
export interface Forwarder {
  readonly outbox: Outbox;
  status(): object;
  /** The part of the status that the server stores. */
  report(): Pick<AgentReportBody, 'spool' | 'datasets'>;
  stop(): Promise<void>;
}

/** Opens the agent's folder. Rejects with FOLDER_TAKEN if another agent has it. */
export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const { config, logger, disk = realDisk, timing = standardTiming } = options;
  const { AGENT_FOLDER: folder, AGENT_SPOOL_BYTES: bytes } = config.current();
  await disk.makeFolder(folder);
  const release = lockFolder(folder, logger);
  const metrics = createForwarderMetrics(options.metrics);
  const loops = new Map<Dataset, DatasetLoop>();

  const spool = await openSpool({
    disk,
    folder: join(folder, 'spool'),
    bytes,
    logger,
    onPut(dataset, items) {
      metrics.items(dataset, 'put', items);
      tellSizes(dataset);
      waiting.get(dataset)?.put(spool.sender(dataset).span.end, Date.now());
      loops.get(dataset)?.wake();
    },
    onLoss: (dataset, lost) => metrics.lostBytes(dataset, lost),
  });
  const tellSizes = (dataset: Dataset): void => {
    metrics.spoolBytes(spool.budget.used);
    metrics.unsentBytes(dataset, spool.sender(dataset).unsentBytes);
  };
  datasets.forEach(tellSizes);
  const waiting = waitingIn(spool);
  const poster = createBatchPoster();
  const quarantine = createQuarantine(quarantineFolderOf(folder));
  for (const dataset of datasets) {
    const sender = spool.sender(dataset);
    const onStep = (): void => tellSizes(dataset);
    const loop = { dataset, sender, poster, quarantine, config, metrics, logger, timing, onStep };
    loops.set(dataset, new DatasetLoop(loop));
  }
  const forget = config.onChange((changed) => {
    spool.budget.resize(changed.AGENT_SPOOL_BYTES);
    for (const loop of loops.values()) loop.retryNow();
  });

  return {
    outbox: spool,
    status: () => ({
      forwarder: {
        ...serverStatus(config),
        quarantine_folder: quarantine.folder,
        datasets: Object.fromEntries([...loops].map(([dataset, loop]) => [dataset, loop.status()])),
      },
      spool: { folder, ...spoolStatus(spool) },
    }),
    report: () => ({
      spool: spoolReport(spool, waiting),
      datasets: [...loops].map(([name, loop]) => reportOf(name, loop.status())),
    }),
    async stop() {
      forget();
      await Promise.all([...loops.values()].map((loop) => loop.stop()));
      poster.close();
      await spool.close();
      release();
    },
  };
}

function serverStatus(config: LiveConfig): object {
  const { AGENT_SERVER_URL: url, AGENT_API_KEY: key } = config.current();
  return { server_url: url, api_key: key === '' ? 'missing' : 'set' };
}

function spoolStatus({ budget }: Spool): object {
  return {
    ...{ bytes: budget.used, limit_bytes: budget.bytes },
    guaranteed_bytes_per_dataset: budget.guaranteedBytes,
  };
}

function waitingIn(spool: Spool): ReadonlyMap<Dataset, Waiting> {
  return new Map(
    datasets.map((dataset) => {
      const { unsentBytes, span } = spool.sender(dataset);
      return [dataset, new Waiting(unsentBytes > 0, span.end)];
    }),
  );
}

function spoolReport(spool: Spool, waiting: ReadonlyMap<Dataset, Waiting>): AgentReportBody['spool'] {
  return {
    ...{ bytes: spool.budget.used, limit_bytes: spool.budget.bytes },
    unsent_bytes: datasets.reduce((sum, dataset) => sum + spool.sender(dataset).unsentBytes, 0),
    ...oldestOf([...waiting].map(([dataset, one]) => one.since(spool.sender(dataset).span.from))),
  };
}
