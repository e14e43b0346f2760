import assert from 'node:assert/strict';
import { toOverflow, workspaceKey } from '../../../../../processors/score-metrics/overflow/to-overflow.js';
import { type IncomingRecord, drop, emit, record } from '../../../../../runtime/processor.js';
import type { ScoringRequest } from '../../../../../schemas/generated/scoring-request.js';
import { scoringRequestsOverflow as overflow } from '../../../../../topics/scoring.js';

const context = { signal: new AbortController().signal };

function request(id: string, workspace: string): IncomingRecord<ScoringRequest> {
  const value = { id, workspace, metric: 'all', prompt: 'p', response: null } as unknown as ScoringRequest;
  return { topic: 't', partition: 0, offset: 0, key: id, value, appendedAt: 0 };
}

describe('passing over to the overflow', () => {
  const passed = ({ value }: IncomingRecord<ScoringRequest>) =>
    emit(record(overflow, workspaceKey(value), value));
  const scored = ({ key }: IncomingRecord<ScoringRequest>) => drop(`scored ${key}`);
  const scoring = (requests: readonly IncomingRecord<ScoringRequest>[]) =>
    Promise.resolve(requests.map(scored));

  it('takes requests that the lane does not keep, and leaves the others in their order', async () => {
    const requests = ['a', 'b', 'c', 'd'].map((id) => request(id, id < 'c' ? 'quiet' : 'noisy'));
    const [a, b, c, d] = requests as [Request, Request, Request, Request];
    const step = toOverflow(scoring, overflow, ({ workspace }) => workspace === 'quiet');
    assert.deepEqual(await step([a, c, b, d], context), [scored(a), passed(c), scored(b), passed(d)]);
  });

  it('keys by workspace, in two parts', () => {
    const keys = Array.from({ length: 16 }, (_, index) => index.toString(16)).map((id) =>
      workspaceKey({ id, workspace: 'w' }),
    );
    assert.deepEqual([...new Set(keys)].sort(), ['w/0', 'w/1']);
  });
});

type Request = IncomingRecord<ScoringRequest>;
