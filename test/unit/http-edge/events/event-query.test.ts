import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readEventQuery } from '../../../../http-edge/events/event-query.js';
import { eventParameters } from '../../../../schemas/custom-event.js';

describe('the query of an event', () => {
  it('is absent without any of its parameters', () => {
    for (const target of ['/', '/?', '/?debug=1&Metric=m', '/?&&=&', 'http://edge/?x=1'])
      assert.equal(readEventQuery(target), undefined, target);
  });

  it('is read as browsers write it, and leniently if a client builds the address by hand', () => {
    assert.deepEqual(readEventQuery('/?metric=a+b%20c%C3%A9&%74ype=gauge&value=1e+06&cluster&x=1'), {
      metric: 'a b cé',
      type: 'gauge',
      value: '1e 06',
      cluster: '',
    });
    assert.deepEqual(readEventQuery('/?metric=100%&value==1&&apiKey=tt_a_b'), {
      metric: '100%',
      value: '=1',
      apiKey: 'tt_a_b',
    });
  });

  it('says which parameter is given more than once', () => {
    assert.equal(readEventQuery('/?metric=a&metric=a')?.repeated, 'metric');
    assert.equal(readEventQuery('/?metric=a&other=1&other=2')?.repeated, undefined);
  });

  it('agrees with the URL standard on whatever is well-formed', () => {
    const value = fc.string({ unit: 'grapheme' }).map((text) => text.toWellFormed());
    const parameters = fc
      .subarray([...eventParameters])
      .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, value]))));
    fc.assert(
      fc.property(parameters, (all: Record<string, string>) => {
        const target = `/?${new URLSearchParams(all).toString()}`;
        assert.deepEqual(readEventQuery(target), Object.keys(all).length === 0 ? undefined : { ...all });
      }),
    );
  });
});
