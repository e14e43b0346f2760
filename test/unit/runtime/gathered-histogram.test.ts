import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { GatheredHistogram } from '../../../runtime/gathered-histogram.js';
import { createHttpMetrics } from '../../../runtime/http/http-metrics.js';
import { createMetrics } from '../../../runtime/metrics.js';

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
        // prom-client orders series by their first values, we by their first requests.
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

  const made = () => {
    const registry = new Registry();
    return { registry, gathered: new GatheredHistogram({ ...shape, buckets, registry }) };
  };

  it('has one series for the same labels, whoever asks for it', async () => {
    const { registry, gathered } = made();
    gathered.gather('/a', 'GET')(0.1);
    gathered.gather('/a', 'GET')(0.1);
    gathered.gather('/a', 'PUT')(0.1);
    const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('seconds_count'));
    assert.deepEqual(lines, [
      'seconds_count{route="/a",method="GET"} 2',
      'seconds_count{route="/a",method="PUT"} 1',
    ]);
  });

  it('leaves out values that are not finite', async () => {
    const { registry, gathered } = made();
    const observe = gathered.gather('/a', 'GET');
    for (const value of [NaN, Infinity, -Infinity, 0.25]) observe(value);
    const text = await registry.metrics();
    assert.match(text, /^seconds_sum\{.*\} 0\.25$/m);
    assert.match(text, /^seconds_count\{.*\} 1$/m);
  });

  it('starts again when its registry is reset', async () => {
    const { registry, gathered } = made();
    const observe = gathered.gather('/a', 'GET');
    observe(1);
    registry.resetMetrics();
    observe(0.5);
    assert.match(await registry.metrics(), /^seconds_sum\{.*\} 0\.5$/m);
  });

  it('has no other way to record, as that would not be scraped', () => {
    const { gathered } = made();
    for (const method of ['observe', 'labels', 'startTimer', 'zero'])
      assert.equal(method in gathered, false, method);
  });

  it('counts for two servers of a process in one scrape', async () => {
    const metrics = createMetrics();
    for (const server of [createHttpMetrics(metrics), createHttpMetrics(metrics)]) {
      const meter = server.forRoute('GET', '/a');
      meter.started();
      meter.finished(200, 0.1, 0, 0);
    }
    const scraped = await metrics.read();
    const counts = scraped
      .split('\n')
      .filter((line) => /^telltale_http_request(s_total|_duration_seconds_count)\{/.test(line));
    assert.deepEqual(counts, [
      'telltale_http_requests_total{route="/a",method="GET",status="200"} 2',
      'telltale_http_request_duration_seconds_count{route="/a",method="GET"} 2',
    ]);
  });
});
