/** The result of a connection test, with the specification's names. Null if the test did not get that far. */
export interface ConnectionTestResult {
  readonly ok: boolean;
  readonly kind: ConnectionKind;
  readonly clusterName: string | null;
  readonly version: string | null;
  readonly status: 'green' | 'yellow' | 'red' | null;
  readonly nodes: number | null;
  /** What was found and, if something is wrong, what to do. Contains no secret. */
  readonly message: string;
}

export const connectionKinds = [
  'ok',
  'connection_refused',
  'authentication_failed',
  'permission_denied',
  'tls_error',
  'timeout',
  'unsupported_endpoint',
] as const;

export type ConnectionKind = (typeof connectionKinds)[number];

/** Why a connection is not good. */
export interface Obstacle {
  readonly kind: Exclude<ConnectionKind, 'ok'>;
  readonly message: string;
}
