import { reportKey, type AgentReports } from '../../http-edge/agent-reports/agent-reports.js';
import type { HotThreadsLog } from '../../http-edge/hot-threads/hot-threads-log.js';
import { laterState, type Sessions } from '../../http-edge/dashboard/sessions.js';
import type { KeyUses } from '../../http-edge/keys/key-uses.js';
import type { AccessKeys } from '../../http-edge/ports.js';
import type { AgentReport } from '../../schemas/generated/agent-report.js';
import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { DashboardSession } from '../../schemas/generated/dashboard-session.js';
import type { HotThreads } from '../../schemas/generated/hot-threads.js';

// In-memory stand-ins for the edge's views of compacted topics.

export function accessKeysOf(keys: Map<string, ApiKey>, appendable: () => Promise<void>): AccessKeys {
  return {
    find: (keyId) => keys.get(keyId),
    list: (workspace) =>
      [...keys.values()].filter((key) => workspace === undefined || key.workspace === workspace),
    async put(key) {
      await appendable();
      keys.set(key.key_id, key);
    },
    async remove(keyId) {
      await appendable();
      keys.delete(keyId);
    },
  };
}

export function keyUsesOf(): KeyUses {
  const last = new Map<string, number>();
  return { note: (id, at) => void last.set(id, at), last: (id) => last.get(id) ?? null };
}

export function agentReportsOf(appendable: () => Promise<void>): AgentReports {
  const reports = new Map<string, AgentReport>();
  return {
    list: (workspace) => [...reports.values()].filter((report) => report.workspace === workspace),
    totalSizeWithout: (report, host) =>
      [...reports]
        .filter(([key, { workspace }]) => workspace === report.workspace && key !== reportKey(report, host))
        .reduce((sum, [, { report: text }]) => sum + text.length, 0),
    async put(report, host) {
      await appendable();
      reports.set(reportKey(report, host), report);
    },
  };
}

export function hotThreadsOf(appendable: () => Promise<void>): HotThreadsLog {
  const questions = new Map<string, HotThreads>();
  return {
    list: (workspace) => [...questions.values()].filter((one) => one.workspace === workspace),
    find: (workspace, uuid) => Promise.resolve(questions.get(`${workspace}/${uuid}`)),
    async put(record) {
      await appendable();
      questions.set(`${record.workspace}/${record.cluster_uuid}`, record);
    },
  };
}

export function sessionsOf(
  records: Map<string, DashboardSession>,
  appendable: () => Promise<void>,
): Sessions {
  return {
    find: (id) => records.get(id),
    list: (workspace) => [...records.values()].filter((session) => session.workspace === workspace),
    upToDate: () => Promise.resolve(),
    async put(session) {
      await appendable();
      const earlier = records.get(session.id);
      records.set(session.id, earlier === undefined ? session : laterState(earlier, session));
    },
    async remove(id) {
      await appendable();
      records.delete(id);
    },
  };
}
