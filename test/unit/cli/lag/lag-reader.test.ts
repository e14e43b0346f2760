import assert from 'node:assert/strict';
import { createLagReader } from '../../../../cli/lag/lag-reader.js';

describe('the reader of the lag', () => {
  it('says that ClickHouse does not answer, and does not wait for it', async () => {
    const kafka = { read: () => Promise.resolve({ groups: [], kept: new Map<string, number>() }) };
    const never = { query: () => new Promise<never>(() => undefined) };
    const { stages } = await createLagReader(kafka, never).read();
    const sink = stages.find(({ stage }) => stage === 'sinks/events');
    assert.equal(sink?.waits_for, 'ClickHouse: no answer within 2 s');
  });
});
