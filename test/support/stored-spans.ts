import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import type { SpanBlock } from '../../schemas/otlp/span-block.js';
import { writeTraces } from '../../schemas/otlp/write-request.js';
import { spanColumns, type StoredSpan } from '../../http-edge/traces/span-rows.js';

/** The rows of telltale.otel_traces that meet a condition, in the order of their records, with every column. */
export function storedSpans(clickhouse: ClickHouse, where: string): Promise<readonly StoredSpan[]> {
  return clickhouse.query<StoredSpan>(
    `SELECT ${spanColumns} FROM telltale.otel_traces WHERE ${where} ORDER BY _topic, _partition, _offset, _index`,
  );
}

/** Each span as a separate request, so that requests and rows can be compared however spans were grouped. */
export const spanBySpan = (blocks: readonly SpanBlock[]): readonly string[] =>
  blocks
    .flatMap((block) => block.spans.map((span) => JSON.stringify(writeTraces([{ ...block, spans: [span] }]))))
    .sort();
