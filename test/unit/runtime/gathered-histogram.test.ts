import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { GatheredHistogram } from '../../../runtime/gathered-histogram.js';

describe('a histogram that gathers', () => {
  const shape = { name: 'seconds', help: 'How long.', labelNames: ['route', 'method'] };
  const buckets = [0.001, 0.01, 0.5, 1, 60];
  const routes = ['/', '/a "quoted" one', '/b'];
  const values = fc.oneof(
    fc.constantFrom(0, ...buckets, -1, 1e9),
    fc.double({ min: 0, max: 100, noNaN: true }),
  );

  it('is scraped as prom-client’s own', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(0, 1, 2), values)), async (observed) => {
        const ours = new Registry();
        const theirs = new Registry();
        const gathered = new GatheredHistogram({ ...shape, buckets, registry: ours });
        const plain = new Histogram({ ...shape, buckets, registers: [theirs] });
        // Theirs lists a series from its first value on, ours in the order in which they were asked for.
        const order = [...new Set(observed.map(([route]) => route))];
        const observe = new Map(order.map((route) => [route, gathered.gather(routes[route] ?? '', 'GET')]));
        gathered.gather('/never', 'GET');
        for (const [route, value] of observed) {
          observe.get(route)?.(value);
          plain.labels(routes[route] ?? '', 'GET').observe(value);
        }
        assert.equal(await ours.metrics(), await theirs.metrics());
      }),
    );
  });
});
