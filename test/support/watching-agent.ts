import type { WatchStatus } from '../../agent/collectors/watch-state.js';
import type { DatasetStatus } from '../../agent/forwarder/progress.js';
import type { Snapshot } from '../../schemas/snapshots.js';
import { AgentProcess } from './agent-process.js';
import { StubServer } from './stub-server.js';
import { until } from './until.js';

/** The snapshots that an agent took of a cluster, and its process's peak memory. */
export interface Watching {
  /** Peak memory of the whole process, in megabytes. */
  readonly peak: number;
  /** The snapshots as stored on the server. */
  readonly snapshots: readonly Snapshot[];
  readonly sections: Sections;
}

export type Sections = WatchStatus['sections'];

interface AgentStatus {
  readonly forwarder: { readonly datasets: { readonly snapshots: DatasetStatus } };
  readonly parts: { readonly collectors: { readonly clusters: readonly WatchStatus[] } };
}

/**
 * Runs an agent as users start it, until its sections are in the wanted state and everything has arrived,
 * including their last state.
 */
export async function watchUntil(
  port: number,
  advanced: object,
  areAsWanted: (sections: Sections) => boolean,
): Promise<Watching> {
  const server = new StubServer();
  await server.start();
  const integration = { service: 'elasticsearch', host: '127.0.0.1', port: String(port), advanced };
  const agent = await AgentProcess.start({ serverUrl: server.url, integration });
  const snapshots = (): readonly Snapshot[] => server.stored('snapshots') as readonly Snapshot[];
  let sections: Sections = [];
  let peak: number;
  try {
    await until('the sections are as wanted, and all has arrived', async () => {
      const { parts, forwarder } = (await agent.status()) as AgentStatus;
      sections = parts.collectors.clusters[0]?.sections ?? [];
      const isSaid = snapshots().some(({ section }) => section === 'capabilities');
      return areAsWanted(sections) && isSaid && forwarder.datasets.snapshots.unsent_bytes === 0;
    });
  } finally {
    peak = await agent.stop();
    await server.stop();
  }
  return { peak, sections, snapshots: snapshots() };
}
