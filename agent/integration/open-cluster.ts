import type { Metrics } from '../../runtime/metrics.js';
import { callMetrics } from './client/call-metrics.js';
import type { OpenSearchClient } from './client/search-client.js';
import { liveTrust, trustOf } from './client/trust.js';
import type { Integration } from './config/integrations.js';

/** A cluster's client. It has made no call yet. */
export interface OpenCluster {
  readonly client: OpenSearchClient;
  /** What can't be applied of the configuration now; undefined if everything can. */
  readonly diagnostic: () => string | undefined;
}

/** Plain http checks no certificate. */
const checksCertificates = ({ url }: Integration): boolean => url.startsWith('https:');

/** Why a certificate would not be verified as the configuration says; undefined if it would. */
export async function distrustOf(integration: Integration, folder: string): Promise<string | undefined> {
  if (!integration.verifyCertificate || !checksCertificates(integration)) return undefined;
  return (await trustOf(integration, folder)).diagnostic;
}

/** `folder` is that of integration.json: a relative `tls.ca` starts there. */
export async function openCluster(
  integration: Integration,
  folder: string,
  metrics: Metrics,
): Promise<OpenCluster> {
  const trust = liveTrust(integration, folder);
  await trust.now();
  // It takes 30 MB and a second to load, so it is loaded only if there is a cluster to ask.
  const { createSearchClient } = await import('./client/search-client.js');
  return {
    client: createSearchClient({ integration, trust, onCall: callMetrics(metrics) }),
    diagnostic: () => (checksCertificates(integration) ? trust.diagnostic() : undefined),
  };
}
