import { createHash } from 'node:crypto';

export const seededTraces = 600;
const nanos = 1_000_000n;

const hex = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** The trace that the screenshot shows. */
export const seededTrace = hex('trace 7', 32);

const operations = ['GET /books', 'GET /books/{id}', 'POST /basket', 'POST /orders'] as const;

/** A request to the shop within the last day, with the calls behind it; every fiftieth fails. */
export function traceBody(number: number, nowMs: number): Buffer {
  const traceId = hex(`trace ${number}`, 32);
  const begin = BigInt(nowMs - Math.round((number / seededTraces) * 86_000_000) - 60_000);
  const operation = operations[number % operations.length] ?? operations[0];
  const took = 24 + (number % 17) * 6 + (number % 41 === 7 ? 900 : 0);
  const fails = number % 50 === 7;
  const span = (
    name: string,
    parent: string | undefined,
    [at, ms]: readonly [number, number],
    more: object,
  ): object => ({
    ...{ traceId, spanId: hex(`${number} ${name}`, 16), name },
    ...(parent !== undefined && { parentSpanId: hex(`${number} ${parent}`, 16) }),
    startTimeUnixNano: String((begin + BigInt(at)) * nanos),
    endTimeUnixNano: String((begin + BigInt(at + ms)) * nanos),
    ...more,
  });
  const of = (service: string, spans: readonly object[]): object => ({
    resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
    scopeSpans: [{ spans }],
  });
  const status = fails ? { status: { code: 2, message: 'stock did not answer' } } : {};
  const attributes = [{ key: 'http.route', value: { stringValue: operation.split(' ')[1] } }];
  const half = Math.round(took / 2);
  const body = {
    resourceSpans: [
      of('shop', [
        span(operation, undefined, [0, took], { kind: 2, attributes, ...status }),
        span('render', operation, [took - 6, 5], { kind: 1 }),
        span('ask the stock', operation, [3, half + 4], { kind: 3, ...status }),
      ]),
      of('stock', [
        span('GET /stock', 'ask the stock', [5, half], { kind: 2, ...status }),
        span('SELECT stock', 'GET /stock', [7, Math.max(1, half - 6)], {
          kind: 3,
          attributes: [{ key: 'db.system', value: { stringValue: 'postgresql' } }],
        }),
      ]),
      of('prices', [span('GET /prices', 'render', [took - 5, 3], { kind: 2 })]),
    ],
  };
  return Buffer.from(JSON.stringify(body));
}
