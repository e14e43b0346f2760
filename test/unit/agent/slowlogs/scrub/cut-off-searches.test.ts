import assert from 'node:assert/strict';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;

describe('a search that was cut off before the name of its field', () => {
  it('loses the value it looks for, wherever after the value the cut is', () => {
    for (const whole of [
      '{"query":{"multi_match":{"query":"moonlightgarden","type":"best_fields","fields":["password"]}}}',
      '{"headers":[{"a":1},{"value":"moonlightgarden","name":"password"}]}',
      '{"a":{"v":"moonlightgarden","k":"password"}}',
      `{"query":"SELECT * FROM users WHERE 'moonlightgarden' = password"}`,
      '{"query":"FROM users | WHERE \\"moonlightgarden\\" == password"}',
    ])
      for (const text of [whole, JSON.stringify({ body: whole })]) {
        const first = text.indexOf('moonlightgarden') + 6;
        for (let end = first; end <= text.length; end += 1)
          assert.doesNotMatch(scrubbed(text.slice(0, end)), /moonli/, text.slice(0, end));
      }
  });

  it('keeps values whose field was logged, and clauses that ended before the cut', () => {
    for (const text of [
      '{"query":{"match":{"message":{"query":"moonlight garden","operator":"and"',
      '{"query":{"bool":{"must":[{"term":{"status":{"value":"active"',
      '{"query":{"query_string":{"query":"status:active AND level:error","default_operator":"AND"',
      '{"query":{"multi_match":{"fields":["title","body"],"query":"moonlight garden","type":"phrase"',
      '{"query":{"bool":{"must":[{"multi_match":{"query":"moonlight garden"}},{"exists":{"field":"user"',
      '{"query":"FROM logs | WHERE level == 5 | LIMIT 10","columnar":true',
    ])
      assert.equal(scrubbed(text), text);
  });
});
