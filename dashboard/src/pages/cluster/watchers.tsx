import { useRead } from '../../api/use-read.js';
import { evaluateAgent, type Agent } from '../../shared/agent-status.js';
import { ExplainedStatus } from '../../shared/explained-status.js';
import { Exports } from '../../shared/exports.js';
import { formatTimestamp } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';

const path = '/api/v1/agents';
type Watched = Agent['clusters'][number];
interface Watcher {
  readonly agent: Agent;
  readonly watched: Watched;
  readonly test: Agent['connection_tests'][number] | undefined;
}

/** The agents that watch the cluster, and the result of their last connection test. */
export function Watchers({ uuid }: { readonly uuid: string }) {
  const { zone } = useAddress();
  const query = useRead(path, { everySeconds: 30 });
  const columns: readonly Column<Watcher>[] = [
    { title: 'Agent', holds: 'name', cell: ({ agent }) => <strong>{agent.host}</strong> },
    {
      title: 'State',
      holds: 'status',
      cell: ({ agent }) => <ExplainedStatus {...evaluateAgent(agent)} />,
    },
    { title: 'Address', holds: 'name', cell: ({ watched }) => <code>{watched.endpoint}</code> },
    {
      title: 'State of the watch',
      cell: ({ watched: { state, reason } }) => reason ?? state.replaceAll('_', ' '),
    },
    {
      title: 'Last connection test',
      holds: 'text',
      cell: ({ test }) =>
        test === undefined ? (
          <Link href="/control/integrations">none since it started</Link>
        ) : (
          <>
            <StatusMark status={test.ok ? 'ok' : 'bad'} word={test.kind.replaceAll('_', ' ')} />{' '}
            <span className="muted">{`${test.message} (${formatTimestamp(test.at, zone)})`}</span>
          </>
        ),
    },
  ];
  return (
    <section className="stack" aria-labelledby="watchers">
      <div className="field">
        <h2 id="watchers">Watched by</h2>
        <Exports
          what="agents that watch the cluster"
          query={query}
          path={path}
          rows={({ agents }) => agents.flatMap((agent) => watchersOf(agent, uuid)).map(rowOf)}
        />
      </div>
      <Loaded query={query} what="the agents" from={['edge']}>
        {({ agents }) => {
          const watchers = agents.flatMap((agent) => watchersOf(agent, uuid));
          return watchers.length === 0 ? (
            <p className="muted">
              No reporting agent watches this cluster now. Its stored data stays readable.
            </p>
          ) : (
            <Table
              caption="Agents that watch the cluster"
              columns={columns}
              rows={watchers}
              keyOf={({ agent, watched }) => `${agent.agent_id} ${watched.endpoint}`}
            />
          );
        }}
      </Loaded>
    </section>
  );
}

const rowOf = ({ agent, watched, test }: Watcher) => ({
  ...{ agent: agent.host, state: evaluateAgent(agent).word, address: watched.endpoint },
  ...{
    state_of_watch: watched.reason ?? watched.state,
    tested_at: test?.at,
    test: test?.kind,
    said: test?.message,
  },
});

const watchersOf = (agent: Agent, uuid: string): readonly Watcher[] =>
  agent.clusters
    .filter(({ cluster_uuid: of }) => of === uuid)
    .map((watched) => ({
      ...{ agent, watched },
      test: agent.connection_tests.find(({ endpoint }) => endpoint === watched.endpoint),
    }));
