import { connectClickHouse } from '../../runtime/clickhouse/client.js';
import type { Pipeline } from '../../test/support/pipeline.js';

/** A trace of this many spans, in chains 200 deep. */
export async function loadTrace(
  pipeline: Pipeline,
  workspace: string,
  traceId: string,
  spans: number,
): Promise<void> {
  const { url, writer } = pipeline.stack.clickhouse;
  const clickhouse = connectClickHouse({ url, ...writer });
  await clickhouse.command(
    `INSERT INTO telltale.otel_traces (
       Timestamp, TraceId, SpanId, ParentSpanId, SpanName, SpanKind, ServiceName, application, Duration, StatusCode,
       workspace, key_id, received_at, appended_at, end_time)
     SELECT now64(9) - toIntervalSecond(60) + toIntervalMicrosecond(number) AS began, '${traceId}',
       lower(leftPad(hex(number + 1), 16, '0')),
       multiIf(number = 0, '', number % 200 = 0, leftPad('1', 16, '0'), lower(leftPad(hex(number), 16, '0'))),
       concat('step ', toString(number)), if(number = 0, 'Server', 'Internal'), concat('service-', toString(number % 5)), 'shop',
       1000000 * (1 + number % 50) AS took, 'Unset', '${workspace}', 'bench', began, now64(6), began + toIntervalNanosecond(took)
     FROM numbers(${spans})`,
  );
  await clickhouse.close();
}
