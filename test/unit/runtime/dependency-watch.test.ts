import assert from 'node:assert/strict';
import { watchDependency } from '../../../runtime/dependency-watch.js';
import { createHealth, type Health } from '../../../runtime/health.js';
import type { Stoppable } from '../../../runtime/lifecycle.js';
import { until } from '../../support/until.js';

describe('a server that a process depends on', () => {
  let health: Health;
  let watch: Stoppable;
  let asked = 0;

  const start = (ask: () => Promise<void>): void => {
    asked = 0;
    health = createHealth();
    watch = watchDependency({
      name: 'Kafka',
      condition: health.condition('Kafka'),
      everyMs: 1,
      patienceMs: 20,
      ask() {
        asked += 1;
        return ask();
      },
    });
  };
  afterEach(() => watch.stop());
  const waitsFor = (): string | undefined => health.readiness().waitingFor['Kafka'];

  it('makes the process ready only while it answers, and says why it is not', async () => {
    let reason: string | undefined;
    start(() => (reason === undefined ? Promise.resolve() : Promise.reject(new Error(reason))));
    assert.equal(waitsFor(), 'starting');
    await until('it is ready', () => health.readiness().ready);
    reason = 'no broker answers';
    await until('it is not ready', () => waitsFor() === reason);
    reason = undefined;
    await until('it is ready again', () => health.readiness().ready);
  });

  it('is down while it does not answer, and is not asked again in that time', async () => {
    let answer: () => void = () => undefined;
    start(() => new Promise((resolve) => (answer = resolve)));
    await until('it has waited long enough', () => waitsFor() === 'no answer within 20 ms');
    assert.equal(asked, 1);
    answer();
    await until('it is asked again', () => asked > 1);
  });

  it('is asked no more once the process stops', async () => {
    start(() => Promise.resolve());
    await until('it is ready', () => health.readiness().ready);
    await watch.stop();
    const before = asked;
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.ok(asked <= before + 1);
  });
});
