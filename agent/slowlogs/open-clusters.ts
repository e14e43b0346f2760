import type { Metrics } from '../../runtime/metrics.js';
import type { OpenSearchClient } from '../integration/client/search-client.js';
import type { Integration } from '../integration/config/integrations.js';
import { openCluster } from '../integration/open-cluster.js';

export interface Opened {
  readonly integration: Integration;
  readonly client: OpenSearchClient;
}

/** All of them, or none stays open. Paths in the integrations are relative to the folder. */
export async function openClusters(
  integrations: readonly Integration[],
  folder: string,
  metrics: Metrics,
): Promise<readonly Opened[]> {
  const opened: Opened[] = [];
  try {
    for (const integration of integrations) {
      const { client } = await openCluster(integration, folder, metrics);
      opened.push({ integration, client });
    }
    return opened;
  } catch (error) {
    await Promise.all(opened.map(({ client }) => client.close()));
    throw error;
  }
}
