import { SearchCallError, type SearchAnswer, type SearchClient } from '../../collectors/client-port.js';
import { identify, type ClusterIdentity } from '../client/identify.js';
import { isOfCluster } from '../client/refusal.js';
import type { Integration } from '../config/integrations.js';
import { notSupported, obstacleOfAnswer, obstacleOfFailure } from './obstacles.js';
import type { Obstacle } from './result.js';

/** A configured cluster, and a diagnostic to add to the result. */
export interface Subject {
  readonly integration: Pick<Integration, 'url' | 'authentication' | 'requestTimeoutMs'>;
  readonly client: SearchClient;
  readonly diagnostic: string | undefined;
}

/** `cluster` once it is identified: trouble that it reports itself is then no obstacle to the connection. */
export type Ask = (path: string, cluster?: ClusterIdentity) => Promise<SearchAnswer | Obstacle>;

export function asking({ integration, client }: Subject, signal: AbortSignal | undefined): Ask {
  return async (path, cluster) => {
    try {
      const answer = await client.get(path, signal === undefined ? {} : { signal });
      if (answer.status === 200 || (cluster !== undefined && tellsOfTrouble(answer))) return answer;
      return obstacleOfAnswer(answer, integration, cluster);
    } catch (error) {
      if (error instanceof SearchCallError) return obstacleOfFailure(error, integration);
      throw error;
    }
  };
}

/** A gateway's 503 contains no error of Elasticsearch. */
function tellsOfTrouble({ status, body }: SearchAnswer): boolean {
  return (status === 500 || status === 503) && isOfCluster(body);
}

/** Identifies the cluster, if a supported one answers: a web server might answer any call. */
export async function identified(ask: Ask, { integration }: Subject): Promise<ClusterIdentity | Obstacle> {
  const root = await ask('/');
  if ('kind' in root) return root;
  const found = identify(root);
  return found.supported ? found.identity : notSupported(integration.url, found.reason);
}
