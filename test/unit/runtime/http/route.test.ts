import assert from 'node:assert/strict';
import { pathOf } from '../../../../runtime/http/route.js';

describe('the path of a request', () => {
  for (const [target, path] of [
    ['/', '/'],
    ['/?apiKey=secret', '/'],
    ['http://edge.example/events?apiKey=secret', '/events'],
    ['*', '*'],
    ['http://edge.example:99999/?apiKey=secret', 'http://edge.example:99999/'],
  ] as const)
    it(`of ${target} is without the query, which may hold a key`, () => {
      assert.equal(pathOf(target), path);
    });
});
