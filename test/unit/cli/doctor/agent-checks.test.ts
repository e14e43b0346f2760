import assert from 'node:assert/strict';
import { agentChecks } from '../../../../cli/doctor/agent-checks.js';
import { runChecks, type Finding } from '../../../../cli/doctor/check.js';
import { version } from '../../../../runtime/version.js';
import type { AgentReportBody } from '../../../../schemas/agent-report.js';
import { agentReportBody } from '../../../support/agent-report-body.js';

const now = Date.parse('2026-01-15T12:00:00Z');

const body = agentReportBody({
  ...{ version, started_at: now },
  spool: { bytes: 10, limit_bytes: 100, unsent_bytes: 0, oldest_at: null, oldest_unknown: null },
});

async function found(secondsAgo: number, more: Partial<AgentReportBody>): Promise<readonly Finding[]> {
  const report = {
    ...{ workspace: 'acme', agent_id: 'a', key_id: 'k', received_at: (now - secondsAgo * 1_000) * 1_000 },
    report: JSON.stringify({ ...body, ...more }),
  };
  return runChecks(agentChecks({ reports: () => Promise.resolve([report]), now: () => now }));
}

const spool = (bytes: number): AgentReportBody['spool'] => ({ ...body.spool, bytes });
const waits = {
  ...{ name: 'events', state: 'held back', unsent_bytes: 1, last_arrival_at: null, reason: 'key refused' },
};

describe('what telltale doctor says of agents', () => {
  const cases: readonly (readonly [string, number, Partial<AgentReportBody>, readonly string[]])[] = [
    ['one that does well', 10, {}, ['good', 'good']],
    ['one that is silent', 91, {}, ['warning', 'good']],
    ['one that was stopped', 5_000, { stopping: true }, ['good', 'good']],
    ['one that is older', 10, { version: '0.0.1' }, ['warning', 'good']],
    ['one whose spool is half full', 10, { spool: spool(50) }, ['good', 'warning']],
    ['one whose spool is nearly full', 10, { spool: spool(90) }, ['good', 'problem']],
  ];
  for (const [which, secondsAgo, more, verdicts] of cases)
    it(`evaluates ${which}`, async () => {
      const findings = await found(secondsAgo, more);
      assert.deepEqual(
        findings.map(({ verdict }) => verdict),
        verdicts,
      );
      for (const { verdict, detail, cure } of findings)
        if (verdict !== 'good') assert.ok(detail.includes('es1') && cure !== null, detail);
    });

  it('names why the spool fills', async () => {
    const [, spools] = await found(10, { spool: spool(60), datasets: [waits] });
    assert.match(spools?.detail ?? '', /es1 \(a\) at 60 % \(key refused\)/);
  });
});
