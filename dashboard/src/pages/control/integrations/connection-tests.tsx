import { useRead } from '../../../api/use-read.js';
import type { Agent } from '../../../shared/agent-status.js';
import { Exports } from '../../../shared/exports.js';
import { formatTimestamp } from '../../../shared/format.js';
import { Loaded } from '../../../shared/loaded.js';
import { Notice } from '../../../shared/notice.js';
import { StatusMark } from '../../../shared/status-mark.js';
import { Table, type Column } from '../../../shared/table.js';
import { useAddress } from '../../../shared/use-address.js';

const path = '/api/v1/agents';
type Test = Agent['connection_tests'][number] & Pick<Agent, 'host' | 'agent_id'>;

/** The last result of each connection test, as the agents report it. */
export function ConnectionTests() {
  const query = useRead(path, { everySeconds: 30 });
  const { zone } = useAddress();
  const columns: readonly Column<Test>[] = [
    { title: 'Agent', cell: ({ host }) => host },
    { title: 'Cluster', cell: ({ endpoint }) => <code>{endpoint}</code> },
    {
      title: 'Result',
      cell: ({ ok, kind, message }) => (
        <>
          <StatusMark status={ok ? 'ok' : 'bad'} word={kind.replaceAll('_', ' ')} />
          <div className="muted">{message}</div>
        </>
      ),
    },
    { title: 'Tested', cell: ({ at }) => <time dateTime={at}>{formatTimestamp(at, zone)}</time> },
  ];
  return (
    <>
      <div className="field">
        <h3>Last results</h3>
        <Exports
          what="connection tests"
          query={query}
          path={path}
          rows={({ agents }) =>
            testsOf(agents).map(({ host, endpoint, kind, message, at }) => ({
              ...{ host, endpoint, result: kind, message, at },
            }))
          }
        />
      </div>
      <Loaded query={query} what="the connection tests" from={['edge']}>
        {({ agents }) => {
          const tests = testsOf(agents);
          return tests.length === 0 ? (
            <Notice kind="never-received" title="No agent has tested a connection since it started">
              <p>Run the command on the agent’s host. Its result is here half a minute later.</p>
            </Notice>
          ) : (
            <Table
              caption="Last connection tests"
              columns={columns}
              rows={tests}
              keyOf={({ agent_id: id, host, endpoint }) => `${id} ${host} ${endpoint}`}
            />
          );
        }}
      </Loaded>
    </>
  );
}

const testsOf = (agents: readonly Agent[]): readonly Test[] =>
  agents.flatMap(({ host, agent_id, connection_tests: tests }) =>
    tests.map((test): Test => ({ ...test, host, agent_id })),
  );
