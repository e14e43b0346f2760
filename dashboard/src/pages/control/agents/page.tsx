import { useRead } from '../../../api/use-read.js';
import {
  evaluateAgent,
  fillOf,
  partsWithoutProblem,
  problemsOf,
  type Agent,
} from '../../../shared/agent-status.js';
import { ExplainedStatus } from '../../../shared/explained-status.js';
import { Exports } from '../../../shared/exports.js';
import { absent, formatAgo, formatBytes, formatTimestamp } from '../../../shared/format.js';
import { Link } from '../../../shared/link.js';
import { Loaded } from '../../../shared/loaded.js';
import { Meter } from '../../../shared/meter.js';
import { Notice } from '../../../shared/notice.js';
import { PageHeader } from '../../../shared/page-header.js';
import { Prose } from '../../../shared/prose.js';
import { StatusMark } from '../../../shared/status-mark.js';
import { Table, type Column } from '../../../shared/table.js';
import { useAddress } from '../../../shared/use-address.js';
import { useNow } from '../../../shared/use-now.js';

const path = '/api/v1/agents';

/** Each agent: its last report, what waits on its disk, and its components. */
export function AgentsPage() {
  const query = useRead(path, { everySeconds: 30 });
  return (
    <>
      <PageHeader
        title="Agents"
        about="As reported by the agents every 30 s. An agent that reports nothing for a week is forgotten."
        actions={<Exports what="agents" query={query} path={path} rows={({ agents }) => agents.map(rowOf)} />}
      />
      <Loaded query={query} what="the agents" from={['edge']}>
        {({ agents, cut }) =>
          agents.length === 0 ? (
            <Notice kind="never-received" title="No agent has reported within a week">
              <p>
                An agent reports as soon as it has a key of scope <code>agent</code>.{' '}
                <Link href="/control">Make one</Link>, and start the agent with it.
              </p>
            </Notice>
          ) : (
            <>
              <AgentTable agents={agents} />
              {cut ? (
                <p className="muted">{`Only these ${agents.length} are listed: there are more.`}</p>
              ) : null}
            </>
          )
        }
      </Loaded>
    </>
  );
}

function AgentTable({ agents }: { readonly agents: readonly Agent[] }) {
  const { zone } = useAddress();
  const now = useNow(5);
  const columns: readonly Column<Agent>[] = [
    {
      title: 'Host',
      holds: 'name',
      cell: ({ host, agent_id: id }) => (
        <>
          <strong>{host}</strong>
          <br />
          <code>{id}</code>
        </>
      ),
    },
    { title: 'State', cell: (agent) => <State agent={agent} /> },
    { title: 'Parts', holds: 'text', cell: (agent) => <Parts agent={agent} /> },
    {
      title: 'Last seen',
      cell: ({ last_seen_at: at }) => (
        <time dateTime={at} title={formatTimestamp(at, zone)}>
          {formatAgo(at, now)}
        </time>
      ),
    },
    {
      title: 'Spool',
      cell: (agent) => <Meter ratio={fillOf(agent)} of={formatBytes(agent.spool.limit_bytes)} />,
    },
    { title: 'Unsent', isFigure: true, cell: ({ spool }) => formatBytes(spool.unsent_bytes) },
    {
      title: 'Oldest unsent',
      cell: ({ spool }) => (
        <span title={spool.oldest_unknown ?? undefined}>
          {spool.oldest_unknown ?? oldestOf(spool.oldest_at, now)}
        </span>
      ),
    },
    { title: 'Watches', cell: ({ clusters }) => <Clusters clusters={clusters} /> },
    {
      title: 'Version',
      cell: ({ version, is_older_than_server: isOlder }) =>
        isOlder ? (
          <StatusMark status="warn" word={`${version}, older than the server: update it`} />
        ) : (
          version
        ),
    },
  ];
  return (
    <Table
      caption="Agents"
      columns={columns}
      rows={agents}
      keyOf={({ agent_id: id, host }) => `${id} ${host}`}
    />
  );
}

/** Problems of its components have a separate cell. */
function State({ agent }: { readonly agent: Agent }) {
  const { status, word, reason, isOfParts = false } = evaluateAgent(agent);
  return <ExplainedStatus status={status} word={word} reason={isOfParts ? null : reason} />;
}

function Parts({ agent }: { readonly agent: Agent }) {
  const problems = problemsOf(agent);
  if (problems.length === 0) return partsWithoutProblem(agent) ?? absent;
  return (
    <ul>
      {problems.map((problem, at) => (
        <li key={at}>
          <Prose text={problem} />
        </li>
      ))}
    </ul>
  );
}

const oldestOf = (at: string | null, now: number): string => (at === null ? absent : formatAgo(at, now));

function Clusters({ clusters }: Pick<Agent, 'clusters'>) {
  if (clusters.length === 0) return 'no cluster';
  return (
    <ul>
      {clusters.map(({ endpoint, cluster_uuid: uuid, cluster_name: name, state, reason }) => (
        <li key={endpoint}>
          {uuid === null ? endpoint : <Link href={`/clusters/${uuid}`}>{name ?? uuid}</Link>}
          {state === 'watching' ? '' : `: ${state}`}
          {reason === null ? null : <div className="muted">{reason}</div>}
        </li>
      ))}
    </ul>
  );
}

const rowOf = ({ spool, datasets, components, clusters, connection_tests: tests, ...agent }: Agent) => ({
  ...agent,
  spool_bytes: spool.bytes,
  spool_limit_bytes: spool.limit_bytes,
  unsent_bytes: spool.unsent_bytes,
  oldest_unsent_at: spool.oldest_at,
  waits: datasets.flatMap(({ name, reason }) => (reason === null ? [] : [`${name}: ${reason}`])).join('; '),
  problems: problemsOf({ components }).join('; '),
  clusters: clusters.map(({ cluster_name: name, endpoint }) => name ?? endpoint).join(', '),
  connection_tests: tests.map(({ endpoint, kind }) => `${endpoint}: ${kind}`).join(', '),
});
