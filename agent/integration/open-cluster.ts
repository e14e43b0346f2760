import type { Metrics } from '../../runtime/metrics.js';
import { callMetrics } from './client/call-metrics.js';
import type { OpenSearchClient } from './client/search-client.js';
import { trustOf, type Trust } from './client/trust.js';
import type { Integration } from './config/integrations.js';

/** A cluster's client. It has made no call yet. */
export interface OpenCluster {
  readonly client: OpenSearchClient;
  /** What of the configuration could not be applied; undefined where everything was. */
  readonly diagnostic: string | undefined;
}

/** The trusted authorities, and a diagnostic of them: plain http checks no certificate. */
async function trustIn(
  integration: Integration,
  folder: string,
): Promise<{ trust: Trust } & Pick<OpenCluster, 'diagnostic'>> {
  const trust = await trustOf(integration, folder);
  return { trust, diagnostic: integration.url.startsWith('https:') ? trust.diagnostic : undefined };
}

/** Why a certificate would not be verified as the configuration says; undefined where it would. */
export async function distrustOf(integration: Integration, folder: string): Promise<string | undefined> {
  const { trust, diagnostic } = await trustIn(integration, folder);
  return trust.verify ? diagnostic : undefined;
}

/** `folder` is that of integration.json: a relative `tls.ca` starts there. */
export async function openCluster(
  integration: Integration,
  folder: string,
  metrics: Metrics,
): Promise<OpenCluster> {
  const { trust, diagnostic } = await trustIn(integration, folder);
  // It takes 30 MB and a second to load, so only where there is a cluster to ask.
  const { createSearchClient } = await import('./client/search-client.js');
  return { client: createSearchClient({ integration, trust, onCall: callMetrics(metrics) }), diagnostic };
}
