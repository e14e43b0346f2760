import type { FoundTopic, TopicChange, WantedTopic } from './plan.js';
import { planTopics } from './plan.js';

/** What apply needs of a cluster; runtime/kafka/client/topic-admin.ts gives it. */
export interface TopicAdmin {
  find(names: readonly string[]): Promise<ReadonlyMap<string, FoundTopic>>;
  /** Creates the topics; one that another process has just created is no error. */
  create(topics: readonly WantedTopic[]): Promise<void>;
  /** Adds partitions until there are so many. */
  grow(topic: string, partitions: number): Promise<void>;
  configure(topic: string, config: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * Brings the cluster to what is wanted, and gives what it did. Safe to repeat, and from several processes at once:
 * creating what exists and setting what is set change nothing. What is refused is left for the caller to report.
 */
export async function applyTopics(
  wanted: readonly WantedTopic[],
  admin: TopicAdmin,
  options: { readonly grow?: boolean } = {},
): Promise<readonly TopicChange[]> {
  const changes = planTopics(wanted, await admin.find(wanted.map(({ name }) => name)), options);
  await admin.create(changes.flatMap((change) => (change.kind === 'create' ? [change.topic] : [])));
  for (const change of changes) {
    if (change.kind === 'grow') await admin.grow(change.topic, change.wanted);
    if (change.kind === 'configure') await admin.configure(change.topic, change.config);
  }
  return changes;
}
