import assert from 'node:assert/strict';
import { agentViews, listedAgents } from '../../../../http-edge/agent-reports/agent-view.js';
import { agentReportBody } from '../../../support/agent-report-body.js';

const nowMs = Date.parse('2026-01-02T03:04:05.000Z');
const minuteMs = 60_000;

const seen = (agentId: string, beforeMs: number) => ({
  workspace: 'default',
  agent_id: agentId,
  key_id: 'k',
  received_at: (nowMs - beforeMs) * 1_000,
  report: JSON.stringify(agentReportBody({ agent_id: agentId })),
});

describe('the agents that are listed', () => {
  it('start with the silent ones, then the most recent', () => {
    const reports = [seen('recent', minuteMs), seen('silent', 60 * minuteMs), seen('newest', 0)];
    assert.deepEqual(
      agentViews(reports, nowMs).map(({ agent_id: id, state }) => [id, state]),
      [
        ['silent', 'silent'],
        ['newest', 'reporting'],
        ['recent', 'reporting'],
      ],
    );
  });

  it('include all silent ones, even if there are more agents than can be listed', () => {
    const many = Array.from({ length: 600 }, (_, index) => seen(`agent-${index}`, 1_000));
    const { agents, cut } = listedAgents([...many, seen('silent', 60 * minuteMs)], nowMs);
    assert.deepEqual([agents.length, agents[0]?.agent_id, cut], [500, 'silent', true]);
    assert.equal(listedAgents(many.slice(0, 500), nowMs).cut, false);
  });
});
