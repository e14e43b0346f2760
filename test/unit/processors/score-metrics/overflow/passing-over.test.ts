import assert from 'node:assert/strict';
import { passingOver, workspaceKey } from '../../../../../processors/score-metrics/overflow/passing-over.js';
import { workspaceShares } from '../../../../../processors/score-metrics/overflow/workspace-shares.js';
import type { IncomingRecord } from '../../../../../runtime/kafka/records.js';
import { drop, emit, record } from '../../../../../runtime/processor.js';
import type { ScoringRequest } from '../../../../../schemas/generated/scoring-request.js';
import { scoringRequestsOverflow as overflow } from '../../../../../topics/scoring.js';

const context = { signal: new AbortController().signal };

function request(id: string, workspace: string, prompt = 'p'): IncomingRecord<ScoringRequest> {
  const value = { id, workspace, metric: 'all', prompt, response: null } as unknown as ScoringRequest;
  return { topic: 't', partition: 0, offset: 0, key: id, value, appendedAt: 0 };
}

describe('passing over to the overflow', () => {
  const passed = ({ value }: IncomingRecord<ScoringRequest>) =>
    emit(record(overflow, workspaceKey(value), value));
  const scored = ({ key }: IncomingRecord<ScoringRequest>) => drop(`scored ${key}`);
  const scoring = (requests: readonly IncomingRecord<ScoringRequest>[]) =>
    Promise.resolve(requests.map(scored));
  const shares = () => workspaceShares({ atOnce: 2, now: () => 0 });

  it('takes what a workspace has beyond its share, and leaves the others theirs, in order', async () => {
    const requests = ['a', 'b', 'c', 'd'].map((id) => request(id, 'noisy')).concat(request('e', 'quiet'));
    const [a, b, c, d, e] = requests as [Request, Request, Request, Request, Request];
    assert.deepEqual(await passingOver(scoring, overflow, shares())(requests, context), [
      ...[scored(a), scored(b), passed(c), passed(d)],
      scored(e),
    ]);
  });

  it('gives the places back once a step is done, and where it fails', async () => {
    const own = shares();
    const failing = passingOver(() => Promise.reject(new Error('broken')), overflow, own);
    const requests = [request('a', 'w'), request('b', 'w')];
    await assert.rejects(failing(requests, context), /broken/);
    assert.deepEqual(await passingOver(scoring, overflow, own)(requests, context), requests.map(scored));
  });

  it('takes long texts, also where nobody has a share', async () => {
    const [long, short] = [request('a', 'w', 'x'.repeat(10_001)), request('b', 'w')];
    assert.deepEqual(await passingOver(scoring, overflow)([long, short], context), [
      passed(long),
      scored(short),
    ]);
  });

  it('keys by workspace, in two parts', () => {
    const keys = Array.from({ length: 16 }, (_, index) => index.toString(16)).map((id) =>
      workspaceKey({ id, workspace: 'w' }),
    );
    assert.deepEqual([...new Set(keys)].sort(), ['w/0', 'w/1']);
  });
});

type Request = IncomingRecord<ScoringRequest>;
