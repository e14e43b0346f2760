import assert from 'node:assert/strict';
import { TelltaleError } from '../../../../runtime/errors.js';
import { silentLogger } from '../../../../runtime/logging.js';
import {
  PartitionLost,
  retryUntilAvailable,
  type SinkEnvironment,
} from '../../../../runtime/sink/environment.js';

describe('the work of a sink that stops', () => {
  const assignment = { check: () => undefined, ended: new AbortController().signal };

  function environmentThatStops(
    stopping: AbortController,
    abandoned = new AbortController(),
  ): SinkEnvironment {
    return {
      sink: { name: 'samples' },
      logger: silentLogger,
      metrics: { retry: () => undefined },
      progressed: () => undefined,
      stopping: stopping.signal,
      abandoned: abandoned.signal,
    } as unknown as SinkEnvironment;
  }

  it('is tried once more, and abandoned if the dependency is still down', async () => {
    const stopping = new AbortController();
    let tries = 0;
    const working = retryUntilAvailable(environmentThatStops(stopping), assignment, () => {
      tries += 1;
      throw new TelltaleError('CLICKHOUSE_UNREACHABLE', { url: 'http://clickhouse' });
    });
    assert.equal(tries, 1);
    stopping.abort();
    await assert.rejects(working, { code: 'CLICKHOUSE_UNREACHABLE' });
    assert.equal(tries, 2);
  });

  it('is waited for, and finally abandoned if no answer comes', async () => {
    const [stopping, abandoned] = [new AbortController(), new AbortController()];
    const environment = environmentThatStops(stopping, abandoned);
    let answer!: (value: string) => void;
    const slow = retryUntilAvailable(
      environment,
      assignment,
      () => new Promise<string>((resolve) => (answer = resolve)),
    );
    const unanswered = retryUntilAvailable(environment, assignment, () => new Promise(() => undefined));
    stopping.abort();
    answer('done');
    assert.equal(await slow, 'done');
    abandoned.abort(new PartitionLost());
    await assert.rejects(unanswered, PartitionLost);
    await assert.rejects(
      retryUntilAvailable(environment, assignment, () => assert.fail('nothing is begun any more')),
      PartitionLost,
    );
  });

  it('is finished if it succeeds', async () => {
    const stopping = new AbortController();
    stopping.abort();
    assert.equal(await retryUntilAvailable(environmentThatStops(stopping), assignment, () => 'done'), 'done');
  });
});
