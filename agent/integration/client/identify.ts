import type { SearchAnswer } from '../../collectors/client-port.js';

/** The identity in the answer of `GET /`. */
export interface ClusterIdentity {
  /** Null while the cluster has not formed: `_na_` is no identity. */
  readonly uuid: string | null;
  readonly name: string;
  readonly version: string;
}

export type Identified =
  | { readonly supported: true; readonly identity: ClusterIdentity }
  /**
   * `reason` in words, as in "it is OpenSearch 2.19.6". `isKnown` if the answer says what it is; otherwise it
   * might be a proxy in front of a cluster.
   */
  | { readonly supported: false; readonly isKnown: boolean; readonly reason: string };

interface RootBody {
  readonly cluster_name?: unknown;
  readonly cluster_uuid?: unknown;
  readonly tagline?: unknown;
  readonly version?: {
    readonly number?: unknown;
    readonly distribution?: unknown;
    readonly build_flavor?: unknown;
  };
}

const tagline = 'You Know, for Search';

/**
 * Whether a 200 of `GET /` comes from a supported cluster: Elasticsearch 7, 8 or 9. Does not use the header
 * `x-elastic-product`, which 7.0 to 7.13 lack. Checks the distribution before the number, because OpenSearch
 * can be configured to fake the number (`compatibility.override_main_response_version`).
 */
export function identify({ body }: Pick<SearchAnswer, 'body'>): Identified {
  const refuse = (reason: string, isKnown = true): Identified => ({ supported: false, isKnown, reason });
  if (typeof body !== 'object' || body === null) {
    return refuse('it does not answer like a search cluster', false);
  }
  const { version, cluster_name, cluster_uuid, tagline: said } = body as RootBody;
  const number = version?.number;
  if (typeof version?.distribution === 'string') {
    return refuse(`it is ${version.distribution} ${typeof number === 'string' ? number : ''}`.trim());
  }
  if (version?.build_flavor === 'serverless') {
    return refuse('it is serverless, which has no nodes or shards to ask about');
  }
  if (typeof number !== 'string' || typeof cluster_name !== 'string' || said !== tagline) {
    return refuse('it does not answer like Elasticsearch', false);
  }
  const major = Number(/^(\d+)\.\d+/.exec(number)?.[1]);
  if (!(major >= 7 && major <= 9)) return refuse(`it is Elasticsearch ${number}`);
  const formed = typeof cluster_uuid === 'string' && cluster_uuid !== '_na_';
  return {
    supported: true,
    identity: { uuid: formed ? cluster_uuid : null, name: cluster_name, version: number },
  };
}
