import { useRead } from '../../api/use-read.js';
import { evaluateAgent, type Agent } from '../../shared/agent-status.js';
import { formatTimestamp } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';

type Watched = Agent['clusters'][number];
interface Watcher {
  readonly agent: Agent;
  readonly watched: Watched;
  readonly test: Agent['connection_tests'][number] | undefined;
}

/** The agents that watch the cluster, and the result of their last connection test. */
export function Watchers({ uuid }: { readonly uuid: string }) {
  const { zone } = useAddress();
  const query = useRead('/api/v1/agents', { everySeconds: 30 });
  const columns: readonly Column<Watcher>[] = [
    { title: 'Agent', holds: 'name', cell: ({ agent }) => <strong>{agent.host}</strong> },
    {
      title: 'State',
      cell: ({ agent }) => {
        const { status, word } = evaluateAgent(agent);
        return <StatusMark status={status} word={word} />;
      },
    },
    { title: 'Asks', holds: 'name', cell: ({ watched }) => <code>{watched.endpoint}</code> },
    { title: 'Which is', cell: ({ watched: { state, reason } }) => reason ?? state.replaceAll('_', ' ') },
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
      <h2 id="watchers">Who watches it</h2>
      <Loaded query={query} what="the agents" from={['edge']}>
        {({ agents }) => {
          const watchers = agents.flatMap((agent) => watchersOf(agent, uuid));
          return watchers.length === 0 ? (
            <p className="muted">
              No agent that reports names this cluster now. What is stored of it stays readable.
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

const watchersOf = (agent: Agent, uuid: string): readonly Watcher[] =>
  agent.clusters
    .filter(({ cluster_uuid: of }) => of === uuid)
    .map((watched) => ({
      ...{ agent, watched },
      test: agent.connection_tests.find(({ endpoint }) => endpoint === watched.endpoint),
    }));
