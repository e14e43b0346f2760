/** The events of a cluster's timeline. */
export const eventKinds = [
  'status_changed',
  'rule_began',
  'rule_ended',
  'rule_not_seen',
  'no_score',
  'node_joined',
  'node_left',
  'node_restarted',
  'master_changed',
] as const;

export type EventKind = (typeof eventKinds)[number];
