import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { addressOf, call, callPages, type Answer, type ApiError } from '../../api/client.js';

export const tracePath = '/api/v1/traces/{trace_id}';
export const otlpPath = '/api/v1/traces/{trace_id}/otlp';
type Trace = Answer<typeof tracePath>;
type Otlp = Answer<typeof otlpPath>;

/** More spans could not be shown smoothly. */
export const mostSpans = 50_000;

/** A trace, shown as soon as its first page is read; `next` is null if it is complete. */
export function useTrace(id: string): UseQueryResult<Trace, ApiError> {
  const client = useQueryClient();
  const queryKey = [tracePath, id];
  return useQuery<Trace, ApiError>({
    queryKey,
    queryFn: async ({ signal }) => {
      const read = async (cursor?: string): Promise<Trace> =>
        (await call('GET', addressOf(tracePath, { trace_id: id }, { cursor }), { signal })) as Trace;
      let trace = await read();
      while (trace.next !== null && trace.spans.length < mostSpans) {
        const shown = client.getQueryData<Trace>(queryKey)?.spans.length ?? 0;
        if (trace.spans.length > shown) client.setQueryData(queryKey, trace);
        const { spans, next } = await read(trace.next);
        trace = { ...trace, spans: [...trace.spans, ...spans], next };
      }
      return trace;
    },
    // A refetch would read all pages again, so not at each return to the tab.
    refetchOnWindowFocus: false,
  });
}

/** The trace, or one span of it, as OTLP/JSON. */
export async function readOtlp(trace: string, span?: string, signal?: AbortSignal): Promise<Otlp> {
  const address = addressOf(otlpPath, { trace_id: trace }, { span_id: span });
  const pages = (await callPages(address, signal)) as readonly Otlp[];
  return { resourceSpans: pages.flatMap(({ resourceSpans }) => resourceSpans) };
}
