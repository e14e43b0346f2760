import { absencesOf } from '../parse/absences.js';
import { amountAt } from '../parse/answer.js';
import { parseDataStreams } from '../parse/cluster.js';
import type { Section } from '../section.js';

const wanted = [
  '_shards.failed',
  'data_stream_count',
  'backing_indices',
  'total_store_size_bytes',
  ...['data_stream', 'backing_indices', 'store_size_bytes', 'maximum_timestamp'].map(
    (field) => `data_streams.${field}`,
  ),
].join(',');

const reasons = {
  'data_streams.*.newest_document_at': {
    code: 'undefined' as const,
    reason: 'the stream holds no document, or its newest one has no time that can be stored',
  },
};

/** Sizes and newest documents of data streams; 7.9 and later, and not in every distribution. */
export const dataStreamsCollector: Section<'data_streams'> = {
  name: 'data_streams',
  intervalSeconds: ({ metadataIntervalSeconds }) => metadataIntervalSeconds,
  enabled: ({ enabled, dataStreams }) => enabled && dataStreams,
  // Not `_data_stream` itself, which needs view_index_metadata: a monitoring user need not have that.
  privilege: 'indices *: monitor',
  split: { list: 'data_streams', most: () => 1_000 },
  async collect({ read, cluster }) {
    const answer = await read(`/_data_stream/_stats?filter_path=${wanted}`);
    const body = parseDataStreams(answer);
    // If some shards failed, the sizes are sums over those that answered.
    const partial = (amountAt(answer, '_shards', 'failed') ?? 0) > 0;
    return { body, partial, unavailable: absencesOf(body, [], reasons, cluster.version) };
  },
};
