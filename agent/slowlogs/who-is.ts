import { identify } from '../integration/client/identify.js';
import type { OpenSearchClient } from '../integration/client/search-client.js';
import type { ClusterNamed } from './tail/positions.js';

/** Null where the cluster does not answer, or is none: its logs can be read all the same once it was known. */
export async function whoIs(client: OpenSearchClient): Promise<ClusterNamed | null> {
  try {
    const identified = identify(await client.get('/'));
    if (!identified.supported || identified.identity.uuid === null) return null;
    const { uuid, name } = identified.identity;
    return { uuid, name };
  } catch {
    return null;
  }
}
