import { join } from 'node:path';
import type { Logger } from '../../runtime/logging.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { LiveConfig } from '../live-config.js';
import { datasets, type Dataset, type Outlet } from '../part.js';
import { realDisk, type Disk } from '../spool/disk.js';
import { lockFolder, openSpool } from '../spool/spool.js';
import { DatasetLoop, standardTiming, type UplinkTiming } from './dataset-loop.js';
import { createBatchPoster } from './post-batch.js';
import { createSetAside } from './set-aside.js';
import { createUplinkMetrics } from './uplink-metrics.js';

export interface UplinkOptions {
  readonly config: LiveConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly disk?: Disk;
  readonly timing?: UplinkTiming;
}

/** The way to the server: what is put goes to disk first, and from there, batch by batch, to the server. */
export interface Uplink {
  readonly outlet: Outlet;
  status(): object;
  stop(): Promise<void>;
}

/** Takes the agent's folder. Rejects with FOLDER_TAKEN where another agent has it. */
export async function startUplink(options: UplinkOptions): Promise<Uplink> {
  const { config, logger, disk = realDisk, timing = standardTiming } = options;
  const { AGENT_FOLDER: folder, AGENT_SPOOL_BYTES: bytes } = config.current();
  await disk.makeFolder(folder);
  const release = lockFolder(folder, logger);
  const metrics = createUplinkMetrics(options.metrics);
  const loops = new Map<Dataset, DatasetLoop>();

  const spool = await openSpool({
    disk,
    folder: join(folder, 'spool'),
    bytes,
    logger,
    onPut(dataset, items) {
      metrics.items(dataset, 'put', items);
      tellSizes(dataset);
      loops.get(dataset)?.wake();
    },
    onLoss: (dataset, lost) => metrics.lostBytes(dataset, lost),
  });
  const tellSizes = (dataset: Dataset): void => {
    metrics.spoolBytes(spool.budget.used);
    metrics.unsentBytes(dataset, spool.sender(dataset).unsentBytes);
  };
  datasets.forEach(tellSizes);
  const poster = createBatchPoster();
  const setAside = createSetAside(join(folder, 'set-aside'));
  for (const dataset of datasets) {
    const sender = spool.sender(dataset);
    const onStep = (): void => tellSizes(dataset);
    const loop = { dataset, sender, poster, setAside, config, metrics, logger, timing, onStep };
    loops.set(dataset, new DatasetLoop(loop));
  }
  const forget = config.onChange((changed) => {
    spool.budget.resize(changed.AGENT_SPOOL_BYTES);
    for (const loop of loops.values()) loop.retryNow();
  });

  return {
    outlet: spool,
    status: () => ({
      uplink: {
        server_url: config.current().AGENT_SERVER_URL,
        api_key: config.current().AGENT_API_KEY === '' ? 'missing' : 'set',
        set_aside_folder: setAside.folder,
        datasets: Object.fromEntries([...loops].map(([dataset, loop]) => [dataset, loop.status()])),
      },
      spool: {
        folder,
        bytes: spool.budget.used,
        limit_bytes: spool.budget.bytes,
        guaranteed_bytes_per_dataset: spool.budget.guaranteedBytes,
      },
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
