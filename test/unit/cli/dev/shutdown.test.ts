import assert from 'node:assert/strict';
import { createShutdown, type Component } from '../../../../cli/dev/shutdown.js';

describe('the shutdown of npm start', () => {
  const ended: string[] = [];
  const component = (name: string, stop = () => Promise.resolve()): Component => ({
    name,
    stop: async () => {
      await stop();
      ended.push(name);
    },
    kill9: () => {
      ended.push(`${name}!`);
      return Promise.resolve();
    },
  });
  beforeEach(() => ended.splice(0));

  it('stops the edge, the processors, the sinks, and then the servers together', async () => {
    const shutdown = createShutdown(() => undefined);
    shutdown.add(component('kafka'), component('registry'));
    for (const role of ['sinks', 'processors', 'edge']) shutdown.add(component(role));
    await shutdown.run();
    assert.deepEqual(ended, ['edge', 'processors', 'sinks', 'kafka', 'registry']);
  });

  it('continues if a component fails to stop', async () => {
    const shutdown = createShutdown(() => undefined);
    shutdown.add(component('kafka'));
    shutdown.add(component('edge', () => Promise.reject(new Error('stuck'))));
    await shutdown.run();
    assert.deepEqual(ended, ['kafka']);
  });

  it('kills everything when asked to', async () => {
    const shutdown = createShutdown(() => undefined);
    shutdown.add(component('kafka'));
    shutdown.add(component('edge'));
    await shutdown.kill();
    assert.deepEqual(ended.sort(), ['edge!', 'kafka!']);
  });

  it('aborts its signal as soon as it is requested', () => {
    const shutdown = createShutdown(() => undefined);
    shutdown.request('SIGTERM');
    assert.equal(shutdown.signal.aborted, true);
    assert.equal(shutdown.signal.reason, 'SIGTERM');
  });
});
