import assert from 'node:assert/strict';
import { attributeRows, detailsOf } from '../../../dashboard/src/pages/trace/otlp-span.js';

const attribute = (key: string, value: object): object => ({ key, value });

describe('the details of a span, as the dashboard shows them', () => {
  it('have values of every kind as texts, with lists and maps as JSON', () => {
    const { attributes, resource, events, links, message, scope } = detailsOf({
      resourceSpans: [
        {
          resource: { attributes: [attribute('service.name', { stringValue: 'shop' })] },
          scopeSpans: [
            {
              scope: { name: 'http', version: '2' },
              spans: [
                {
                  status: { message: 'out of stock' },
                  attributes: [
                    attribute('count', { intValue: '9007199254740993' }),
                    attribute('ok', { boolValue: false }),
                    attribute('none', {}),
                    attribute('list', {
                      arrayValue: { values: [{ intValue: '1' }, { stringValue: '<b>' }] },
                    }),
                    attribute('map', { kvlistValue: { values: [attribute('a', { doubleValue: 0.5 })] } }),
                  ],
                  events: [
                    { timeUnixNano: '1767323045678901234', name: 'looked' },
                    { timeUnixNano: '0', name: 'timeless' },
                  ],
                  links: [{ traceId: 't', spanId: 's' }],
                },
              ],
            },
          ],
        },
      ],
    });
    assert.deepEqual(attributes, [
      ['count', '9007199254740993'],
      ['ok', 'false'],
      ['none', ''],
      ['list', '["1","<b>"]'],
      ['map', '{"a":0.5}'],
    ]);
    assert.deepEqual([resource, scope, message], [[['service.name', 'shop']], 'http 2', 'out of stock']);
    assert.deepEqual(events, [
      { name: 'looked', at: '2026-01-02T03:04:05.678Z', attributes: [] },
      { name: 'timeless', at: null, attributes: [] },
    ]);
    assert.deepEqual(links, [{ trace: 't', span: 's', attributes: [] }]);
  });

  it('are empty if the span has none', () => {
    assert.deepEqual(detailsOf({ resourceSpans: [] }).attributes, []);
  });

  it('have one row per attribute in a file, with what the attribute belongs to', () => {
    const of = [['ok', 'false']] as const;
    const details = { ...detailsOf({ resourceSpans: [] }), attributes: of, resource: of };
    const events = [{ name: 'looked', at: null, attributes: of }];
    const links = [{ trace: 't', span: 's', attributes: of }];
    assert.deepEqual(
      attributeRows({ ...details, events, links }).map((row) => row['of']),
      ['span', 'event looked', 'link to s', 'resource'],
    );
  });
});
