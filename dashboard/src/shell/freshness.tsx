import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { Button } from '../shared/button.js';
import { formatAgo } from '../shared/format.js';
import { useNow } from '../shared/use-now.js';

/** How old the oldest of what is shown is, and a way to read all of it anew. */
export function Freshness() {
  const client = useQueryClient();
  const isReading = useIsFetching({ predicate: ({ queryKey: [path] }) => isRead(path) }) > 0;
  const now = useNow(5);
  const read = client
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ queryKey: [path] }) => isRead(path) })
    .flatMap(({ state: { dataUpdatedAt: at } }) => (at === 0 ? [] : [at]));
  if (read.length === 0) return null;
  const oldest = Math.min(...read);
  const text = isReading ? 'Reading…' : `Read ${formatAgo(new Date(oldest).toISOString(), now)}`;
  return (
    <Button
      look="quiet"
      onClick={() => void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => isRead(path) })}
      title="Read everything on this page anew"
    >
      <RefreshCw size={15} aria-hidden="true" />
      {text}
      <span className="visually-hidden">. Refresh</span>
    </Button>
  );
}

/** What pages read, beside who is signed in. */
const isRead = (path: unknown): boolean => typeof path === 'string' && path.startsWith('/api/v1/');
