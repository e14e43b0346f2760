import assert from 'node:assert/strict';
import { pino } from 'pino';
import { startEdgeInMemory } from '../../support/edge-in-memory.js';

const metrics = '/api/v1/monitoring/metrics';

describe('the secrets of the edge', () => {
  it('stand in no log line, no error body and no metric, whatever happens', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const edge = await startEdgeInMemory({ logger });
    const answers: string[] = [];
    const keep = async (response: Promise<Response>): Promise<void> =>
      void answers.push(await (await response).text());
    edge.ports.answerCalls(() => {
      throw new Error('the inside is broken');
    });
    try {
      await keep(edge.post(`${metrics}/text-topic/task`, { prompt: 'a text that is private' }));
      await keep(edge.post(`${metrics}/text-topic`, { prompt: 'a text that is private' }));
      await keep(edge.post(`${metrics}/text-topic`, edge.token, { 'x-request-id': edge.token }));
      await keep(edge.get(`/nothing/${edge.token}?apiKey=${edge.token}`));
      await keep(edge.get(`/?apiKey=${edge.token}&metric=m`));
      await keep(edge.get('/api/v1/keys', { authorization: `Bearer ${edge.token}x` }));
      await keep(edge.get('/api/v1/keys'));
      await keep(edge.get('/metrics'));
    } finally {
      await edge.stop();
    }
    assert.equal(answers.length, 8);
    assert.ok(lines.some((line) => line.includes('the inside is broken')));
    assert.ok(lines.filter((line) => line.includes('"answered"')).length >= 7);
    const said = [...lines, ...answers].join('\n');
    assert.doesNotMatch(said, /the-secret-of-the-test-key|a text that is private|secret_hash/);
  });
});
