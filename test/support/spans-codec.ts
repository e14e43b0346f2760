import { createCodec } from '../../runtime/registry/codec.js';
import { readSchema } from '../../runtime/registry/registry.js';
import type { TraceSpans } from '../../schemas/generated/trace-spans.js';

/** The codec of ingest.spans without a registry. */
export const spansCodec = createCodec<TraceSpans>('ingest.spans', readSchema('trace-spans'), 1, {
  schemaOf: () => Promise.resolve(undefined),
});
