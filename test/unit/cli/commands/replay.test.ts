import assert from 'node:assert/strict';
import { runTelltale } from '../../../support/roles.js';

describe('telltale replay table', () => {
  it('says what is wrong with its options before it begins anything', async () => {
    const nowhere = { KAFKA_BROKERS: '127.0.0.1:1' };
    const replay = (...options: readonly string[]): Promise<string> =>
      runTelltale(['replay', 'table', 'events', ...options], nowhere);
    await assert.rejects(replay('--rate', 'fast'), /--rate must be a number above 0/);
    await assert.rejects(replay('--from', 'yesterday'), /yesterday is not a timestamp/);
    await assert.rejects(runTelltale(['replay', 'table', 'mood'], nowhere), /the sinks are scoring-results/);
  });
});
