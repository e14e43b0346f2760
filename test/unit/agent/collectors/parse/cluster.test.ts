import assert from 'node:assert/strict';
import { parseDataStreams, parseMaster } from '../../../../../agent/collectors/parse/cluster.js';

describe('data streams', () => {
  it('have no newest document if they are empty, for which Elasticsearch writes 0', () => {
    const stream = (data_stream: string, maximum_timestamp: number) => ({
      data_stream,
      backing_indices: 1,
      store_size_bytes: 10,
      maximum_timestamp,
    });
    const body = parseDataStreams({
      data_streams: [stream('a', 0), stream('b', 1_795_244_700_000), stream('nanoseconds', 1.7e18)],
    });
    assert.deepEqual(
      body.data_streams.map(({ newest_document_at }) => newest_document_at),
      [null, 1_795_244_700_000, null],
    );
  });
});

describe('the elected master', () => {
  it('is none if the listing has a dash in each column', () => {
    assert.deepEqual(parseMaster([{ id: '-', node: '-' }]), { id: null, name: null });
    assert.deepEqual(parseMaster([{ id: 'Xk2vQ1aBS3yT9d0wZr7p4g', node: '-' }]), {
      id: 'Xk2vQ1aBS3yT9d0wZr7p4g',
      name: '-',
    });
  });
});
