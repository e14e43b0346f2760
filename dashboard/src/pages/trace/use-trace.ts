import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { addressOf, call, type Answer, type ApiError } from '../../api/client.js';

export const tracePath = '/api/v1/traces/{trace_id}';
export const otlpPath = '/api/v1/traces/{trace_id}/otlp';
type Trace = Answer<typeof tracePath>;

/** More spans could not be shown smoothly. */
const mostSpans = 50_000;

/** A trace, shown from its first page on; `next` is null where all of it is there. */
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
  });
}

/** The edge writes no longer trace as OTLP/JSON. */
export const mostOtlpSpans = 2_000;

/** The trace, or one span of it, as OTLP/JSON. */
export async function readOtlp(trace: string, span?: string): Promise<Answer<typeof otlpPath>> {
  const address = addressOf(otlpPath, { trace_id: trace }, { span_id: span });
  return (await call('GET', address)) as Answer<typeof otlpPath>;
}
