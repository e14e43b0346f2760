import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useAddress } from '../shared/use-address.js';
import { boundsOf, type TimeRange } from '../shared/time-range.js';
import { addressOf, call, type Answer, type ApiError, type ReadPath, type Values } from './client.js';

export interface ReadOptions<Data = never> {
  readonly params?: Values;
  readonly query?: Values;
  /** Sent as `from` and `to`; a range that follows the clock is computed again at each refresh. */
  readonly range?: TimeRange;
  /**
   * How often the data may change, or how soon after the last read; undefined: it does not. A hidden tab and a
   * paused page read nothing again, nor does a frozen range.
   */
  readonly everySeconds?: number | ((last: Data | undefined) => number | undefined);
  readonly enabled?: boolean;
}

/** One read of the API, shared by all components that need the same, and refreshed as often as it may change. */
export function useRead<Path extends ReadPath>(
  path: Path,
  { params, query, range, everySeconds, enabled = true }: ReadOptions<Answer<Path>> = {},
): UseQueryResult<Answer<Path>, ApiError> {
  const { isPaused } = useAddress();
  const isHeld = isPaused || range?.kind === 'fixed';
  return useQuery<Answer<Path>, ApiError>({
    queryKey: [path, params, query, range],
    queryFn: async ({ signal }) => {
      const bounds = range === undefined ? {} : boundsOf(range, Date.now());
      return (await call('GET', addressOf(path, params, { ...query, ...bounds }), {
        signal,
      })) as Answer<Path>;
    },
    refetchInterval: ({ state: { data } }) => {
      const seconds = typeof everySeconds === 'function' ? everySeconds(data) : everySeconds;
      return seconds === undefined || isHeld ? false : seconds * 1_000;
    },
    refetchOnWindowFocus: !isHeld,
    refetchOnReconnect: !isHeld,
    refetchOnMount: !isHeld,
    // The rows of another filter may stay visible briefly; those of another subject would be taken for the new one's.
    placeholderData: (last, of) =>
      JSON.stringify(of?.queryKey[1]) === JSON.stringify(params) ? last : undefined,
    enabled,
  });
}

/** The command that reads the same from a shell; `$TELLTALE_API_KEY` stands for a key with the scope `read`. */
export function curlOf(path: string, { params, query, range }: ReadOptions, nowMs: number): string {
  const bounds = range === undefined ? {} : boundsOf(range, nowMs);
  const address = `${location.origin}${addressOf(path, params, { ...query, ...bounds })}`;
  return `curl -sS '${address.replaceAll("'", '%27')}' -H "Authorization: Bearer $TELLTALE_API_KEY"`;
}
