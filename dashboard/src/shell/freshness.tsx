import {
  notifyManager,
  useIsFetching,
  useQueryClient,
  type Query,
  type QueryClient,
} from '@tanstack/react-query';
import { Pause, Play, RefreshCw } from 'lucide-react';
import { useCallback, useSyncExternalStore } from 'react';
import { useRead } from '../api/use-read.js';
import { Button } from '../shared/button.js';
import { formatAgo } from '../shared/format.js';
import { formatLag } from '../shared/stage-status.js';
import { pausedName } from '../shared/address.js';
import { useAddress } from '../shared/use-address.js';
import { useNow } from '../shared/use-now.js';
import { behindOf, restsInTables } from './data-reach.js';

const pipelinePath = '/api/v1/pipeline';

/** The age of the oldest data on the page, how far it is behind, and a button to read all of it again. */
export function Freshness() {
  const client = useQueryClient();
  const isReading = useIsFetching({ predicate: ({ queryKey: [path] }) => isShown(path) }) > 0;
  const now = useNow(5);
  const read = useShownReads(client).filter(({ state: { dataUpdatedAt: at } }) => at !== 0);
  const stored = read.map(({ queryKey: [path] }) => String(path)).filter(restsInTables);
  const pipeline = useRead(pipelinePath, { everySeconds: 30, enabled: stored.length > 0 });
  if (read.length === 0) return null;
  const oldest = Math.min(...read.map(({ state: { dataUpdatedAt: at } }) => at));
  const text = isReading ? 'Reading…' : `Read ${formatAgo(new Date(oldest).toISOString(), now)}`;
  // If the last read failed, the earlier answer is outdated.
  const stages = pipeline.error === null ? pipeline.data?.stages : [];
  const behind = stages === undefined ? undefined : behindOf(stored, stages);
  return (
    <Button
      look="quiet"
      onClick={() => void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => isRead(path) })}
      title="Refresh everything on this page"
    >
      <RefreshCw size={15} aria-hidden="true" />
      {stored.length === 0 || behind === undefined ? text : `${text}, ${reachText(behind)}`}
      <span className="visually-hidden">. Refresh</span>
    </Button>
  );
}

/** Keeps the whole page as it was read, including parts that have no range to freeze. */
export function PauseButton() {
  const { isPaused, set } = useAddress();
  const Icon = isPaused ? Play : Pause;
  return (
    <Button
      look={isPaused ? 'plain' : 'quiet'}
      data-shortcut="."
      aria-label={isPaused ? 'Paused: resume' : 'Pause'}
      onClick={() => set({ [pausedName]: isPaused ? '' : 'yes' })}
      title={isPaused ? 'Paused: follow the data again' : 'Pause: hold this page as it was read'}
    >
      <Icon size={15} aria-hidden="true" />
    </Button>
  );
}

/** The reads of the current page. Subscribes to the cache: a page without reads causes no other update. */
function useShownReads(client: QueryClient): readonly Query[] {
  const cache = client.getQueryCache();
  const shown = (): readonly Query[] =>
    cache.findAll({ type: 'active', predicate: ({ queryKey: [path] }) => isShown(path) });
  useSyncExternalStore(
    useCallback((changed: () => void) => cache.subscribe(notifyManager.batchCalls(changed)), [cache]),
    () =>
      shown()
        .map(({ queryHash }) => queryHash)
        .join(),
  );
  return shown();
}

/** A smaller lag is normal for data on its way. */
const worthSayingSeconds = 5;

function reachText(seconds: number | null): string {
  if (seconds === null) return 'data lag unknown';
  return seconds < worthSayingSeconds ? 'data up to date' : `data ${formatLag(seconds) ?? ''} behind`;
}

/** Whether it is a read for a page, not the session's. */
const isRead = (path: unknown): boolean => typeof path === 'string' && path.startsWith('/api/v1/');
/** The lag is read less often than the data of a page, and does not count for its age. */
const isShown = (path: unknown): boolean => isRead(path) && path !== pipelinePath;
