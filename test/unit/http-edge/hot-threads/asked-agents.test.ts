import assert from 'node:assert/strict';
import type { KnownAgent } from '../../../../http-edge/agent-reports/agent-view.js';
import { askedOf, outlook } from '../../../../http-edge/hot-threads/asked-agents.js';
import { newQuestion, statusOf } from '../../../../http-edge/hot-threads/question.js';
import type { AgentReportBody } from '../../../../schemas/agent-report.js';
import { agentReportBody } from '../../../support/agent-report-body.js';

const askedAt = Date.parse('2026-01-15T12:00:00.000Z');
const question = newQuestion('acme', 'harbour', 'q1', askedAt);

function report(
  host: string,
  changes: Partial<AgentReportBody> = {},
  clusterState = 'watching',
): AgentReportBody {
  return agentReportBody({
    ...{ agent_id: host, host, answers: ['hot-threads'] },
    clusters: [
      {
        ...{ endpoint: `http://${host}:9200`, cluster_uuid: 'harbour', cluster_name: 'h' },
        ...{ state: clusterState, reason: null },
      },
    ],
    ...changes,
  });
}

const known = (
  said: AgentReportBody,
  state: KnownAgent['state'] = 'reporting',
  seenMs = askedAt - 5_000,
): KnownAgent => ({
  ...{ said, state, seenMs },
});

describe('the agent that is asked for hot threads', () => {
  const isAsked = (said: AgentReportBody, others: readonly KnownAgent[], afterMs = 1_000): boolean =>
    askedOf(said, [question], others, askedAt + afterMs).length > 0;

  it('is the one that watches the cluster', () => {
    assert.deepEqual(askedOf(report('a'), [question], [], askedAt), [
      { kind: 'hot-threads', question_id: 'q1', cluster_uuid: 'harbour' },
    ]);
    assert.equal(isAsked(report('a', { clusters: [] }), []), false);
  });

  it('is never one that does not know the question, or is stopping', () => {
    assert.equal(isAsked(report('a', { answers: [] }), []), false);
    assert.equal(isAsked(report('a', { stopping: true }), []), false);
  });

  it('is first one that reaches the cluster, and then another once that one has not answered', () => {
    const [a, b] = [report('a', {}, 'unreachable'), report('b')];
    assert.deepEqual([isAsked(a, [known(b)]), isAsked(b, [known(a)])], [false, true]);
    assert.equal(isAsked(a, [known(b)], 46_000), true);
    assert.equal(isAsked(a, [known(b, 'silent')]), true);
  });

  it('is chosen by its current report, not by its previous one', () => {
    assert.equal(isAsked(report('a'), [known(report('a'), 'stopped')]), true);
  });
});

describe('an unanswered question for hot threads', () => {
  const later = askedAt + 120_000;

  it('waits for two minutes', () => {
    assert.deepEqual([statusOf(question, later - 1), statusOf(question, later)], ['waiting', 'expired']);
  });

  it('says in words which agent it waits for, and why it has no answer', () => {
    const seen = '2026-01-15T11:00:00.000Z';
    const cases: readonly (readonly [readonly KnownAgent[], number, RegExp])[] = [
      [[], askedAt, /^No agent has reported yet that it watches this cluster\./],
      [[], later, /^No agent that reported within a week watches this cluster\.$/],
      [
        [known(report('a'))],
        askedAt,
        /^The agent on a will be asked when it next reports: it reports every 30 s\.$/,
      ],
      [
        [known(report('a'), 'reporting', askedAt + 1)],
        askedAt + 2,
        /^The agent on a was asked at .*12:00:00/,
      ],
      [[known(report('a'))], later, /^The agent on a reports, but has not answered\./],
      [
        [known(report('a', { answers: [], version: '0.0.9' }))],
        later,
        /has version 0\.0\.9, .* Upgrade it\./,
      ],
      [[known(report('a'), 'silent', Date.parse(seen))], later, new RegExp(`silent since ${seen}`)],
      [[known(report('a'), 'stopped', Date.parse(seen))], later, new RegExp(`was stopped at ${seen}`)],
    ];
    for (const [agents, now, words] of cases) assert.match(outlook(question, agents, now), words);
  });
});
