import type { Codec } from '../../runtime/codec.js';
import type { Condition } from '../../runtime/health.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import { startCompactedView } from '../../runtime/kafka/views/compacted-view.js';
import { MemoryTarget } from '../../runtime/kafka/views/view-target.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { KeyUse } from '../../schemas/generated/key-use.js';
import type { Topic } from '../../topics/topic.js';

/** When keys were last used, on any edge. Timestamps are milliseconds since 1970. */
export interface KeyUses {
  /** Records a use in memory only: no request waits for it. */
  note(keyId: string, atMs: number): void;
  /** When the key was last used, null if unknown; uses on other edges appear at most a minute late. */
  last(keyId: string): number | null;
}

export interface KeyUsesOptions {
  readonly topic: Topic<KeyUse>;
  readonly codec: Codec<KeyUse>;
  readonly kafka: KafkaAccess;
  readonly appender: Pick<Appender, 'append'>;
  readonly condition: Condition;
  readonly metrics: Metrics;
  /** Whether there is such a key; throws while that is not known. */
  readonly isKnown: (keyId: string) => boolean;
  readonly everyMs?: number;
}

/**
 * Uses are recorded in memory and written once a minute, so a crash loses only the last minute of them. Uses
 * of keys that are no longer remembered are removed.
 */
export function startKeyUses(
  options: KeyUsesOptions,
): KeyUses & { readonly caughtUp: Promise<void>; stop(): Promise<void> } {
  const { topic, codec, kafka, appender, condition, metrics, isKnown, everyMs = 60_000 } = options;
  const target = new MemoryTarget<KeyUse>((one, other) => (other.used_at > one.used_at ? other : one));
  const view = startCompactedView({ topic, codec, target, kafka, condition, metrics });
  /** Uses that the topic might lack. */
  const noted = new Map<string, number>();

  const write = async (): Promise<void> => {
    for (const [id, at] of noted)
      if (!isKnown(id) || (target.get(id)?.used_at ?? 0) >= microsOf(at)) noted.delete(id);
    const gone = target.all().filter(({ key_id: id }) => !isKnown(id));
    const records = [
      ...[...noted].map(([id, at]) => ({ id, value: codec.encode({ key_id: id, used_at: microsOf(at) }) })),
      ...gone.map(({ key_id: id }) => ({ id, value: null })),
    ];
    if (records.length > 0)
      await appender.append(records.map(({ id, value }) => ({ topic: topic.name, key: id, value })));
  };
  // Uses that can't be written now are written a minute later.
  const timer = setInterval(() => void write().catch(() => undefined), everyMs).unref();
  return {
    caughtUp: view.caughtUp,
    note: (keyId, atMs) => void noted.set(keyId, atMs),
    last(keyId) {
      const elsewhere = target.get(keyId)?.used_at;
      const last = Math.max(noted.get(keyId) ?? 0, (elsewhere ?? 0) / 1_000);
      return last === 0 ? null : last;
    },
    async stop() {
      clearInterval(timer);
      await write().catch(() => undefined);
      await view.stop();
    },
  };
}

const microsOf = (ms: number): number => Math.round(ms * 1_000);
