import type { Topic } from '../../../topics/topic.js';
import type { Appender } from '../produce/appender.js';
import type { CompactedView } from './compacted-view.js';

export interface RemovalsOptions {
  readonly topic: Topic;
  readonly appender: Pick<Appender, 'append'>;
  readonly view: Pick<CompactedView, 'upToDate'>;
}

/**
 * Removes keys from a compacted topic, and so from every view of it. Who asks for a removal that is under way waits for
 * that one: many requests at once find the same keys to be removed.
 */
export function removalsOf({ topic, appender, view }: RemovalsOptions): (key: string) => Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  const remove = async (key: string): Promise<void> => {
    try {
      await appender.append([{ topic: topic.name, key, value: null }]);
      await view.upToDate(key).catch(() => undefined);
    } finally {
      underWay.delete(key);
    }
  };
  return (key) => {
    const removal = underWay.get(key) ?? remove(key);
    underWay.set(key, removal);
    return removal;
  };
}
