import assert from 'node:assert/strict';
import {
  createSearchClient,
  type CallOutcome,
  type OpenSearchClient,
} from '../../agent/integration/client/search-client.js';
import { liveTrust } from '../../agent/integration/client/trust.js';
import { parseIntegrations } from '../../agent/integration/config/integrations.js';

/** A client like the agent's for a local server; `entry` is its integration.json entry without the port. */
export async function searchClient(
  port: number,
  entry: object = {},
  onCall: (outcome: CallOutcome) => void = () => undefined,
): Promise<OpenSearchClient> {
  const file = { service: 'elasticsearch', host: '127.0.0.1', port: String(port), ...entry };
  const [integration] = parseIntegrations(JSON.stringify(file)).entries;
  assert.ok(integration);
  const trust = liveTrust(integration, '.');
  await trust.now();
  return createSearchClient({ integration, trust, onCall });
}

/** Calls a cluster directly, which a test may do and the agent may not. */
export async function askDirectly(
  url: string,
  method: string,
  path: string,
  body?: object | string,
  authorization?: string,
): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as unknown;
}
