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
   * How often the data can change, or how soon after the last read; undefined if it does not change. A hidden
   * tab, a paused page and a frozen range are not refreshed.
   */
  readonly everySeconds?: number | ((last: Data | undefined) => number | undefined);
  readonly enabled?: boolean;
}

/** One read of the API, shared by all components that need it, and refreshed as often as it can change. */
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
    // Another filter's rows can stay visible briefly; another subject's would be mistaken for this one's.
    placeholderData: (last, of) =>
      JSON.stringify(of?.queryKey[1]) === JSON.stringify(params) ? last : undefined,
    enabled,
  });
}

/** The shell command for the same read; `$TELLTALE_API_KEY` stands for a key with the scope `read`. */
export function curlOf(path: string, { params, query, range }: ReadOptions, nowMs: number): string {
  const bounds = range === undefined ? {} : boundsOf(range, nowMs);
  const address = `${location.origin}${addressOf(path, params, { ...query, ...bounds })}`;
  return `curl -sS '${address.replaceAll("'", '%27')}' -H "Authorization: Bearer $TELLTALE_API_KEY"`;
}
