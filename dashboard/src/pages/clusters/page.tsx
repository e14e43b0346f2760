import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { absent, formatAgo, formatNumber, formatTimestamp } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { StatusMark } from '../../shared/status-mark.js';
import { healthStatus } from '../../shared/status.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { useNow } from '../../shared/use-now.js';
import { clustersSql } from '../cluster/sql.js';
import { byUrgency } from './urgency.js';
import { whyOf } from './why.js';
import { CodeBlock } from '../../shared/code-block.js';

type Cluster = Answer<'/api/v1/clusters'>['clusters'][number];

const path = '/api/v1/clusters';
const query = { limit: 1_000 };

/** All search clusters of the workspace; those that need attention first. */
export function ClustersPage() {
  const clusters = useRead(path, { query, everySeconds: 15 });
  return (
    <>
      <PageHeader
        title="Clusters"
        about="Search clusters that agents watch, worst first. A score of 100 means that nothing was found to deduct."
        actions={
          <Exports
            what="clusters"
            query={clusters}
            path={path}
            options={{ query }}
            rows={({ clusters: all }) => all.map(rowOf)}
            sql={(_, scope) => clustersSql(scope)}
          />
        }
      />
      <Loaded query={clusters} what="the clusters">
        {(answer) =>
          answer.clusters.length === 0 ? (
            <NoClusters />
          ) : (
            <>
              <ClusterTable clusters={answer.clusters} />
              {answer.next === null ? null : (
                <p className="muted">
                  {`These are the first ${formatNumber(answer.clusters.length)} by their id. There are more, which may be worse: `}
                  <code>GET /api/v1/clusters</code> has them, page by page.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </>
  );
}

function ClusterTable({ clusters }: { readonly clusters: readonly Cluster[] }) {
  const { zone } = useAddress();
  const now = useNow(5);
  const columns: readonly Column<Cluster>[] = [
    {
      title: 'Cluster',
      cell: ({ cluster_uuid: uuid, cluster_name: name }) => (
        <Link href={`/clusters/${uuid}`}>{name ?? uuid}</Link>
      ),
    },
    {
      title: 'Health',
      cell: ({ status }) => <StatusMark status={healthStatus(status)} word={status ?? 'unknown'} />,
    },
    { title: 'Score', isFigure: true, cell: ({ score }) => score ?? absent },
    { title: 'Why, and what to do', holds: 'text', cell: (cluster) => whyOf(cluster) },
    { title: 'Version', cell: ({ cluster_version: version }) => version ?? absent },
    {
      title: 'Last seen',
      isFigure: true,
      cell: ({ seen_at: at }) => <time title={formatTimestamp(at, zone)}>{formatAgo(at, now)}</time>,
    },
  ];
  return (
    <Table
      caption="Search clusters"
      columns={columns}
      rows={[...clusters].sort(byUrgency)}
      keyOf={({ cluster_uuid: uuid }) => uuid}
    />
  );
}

const rowOf = (cluster: Cluster) => ({
  ...cluster,
  deductions: cluster.deductions.map(({ code, points }) => `${code}: ${points}`).join(', '),
  why: whyOf(cluster),
});

function NoClusters() {
  return (
    <Notice kind="never-received" title="No cluster has been seen in the last 30 days">
      <p>
        An agent watches search clusters once its <code>integration.json</code> names a node of one. Put the
        file into the agent’s folder, then test it:
      </p>
      <CodeBlock label="The test">
        curl -sS -X POST http://127.0.0.1:3774/integrations/elasticsearch/test
      </CodeBlock>
      <p>The first score comes about a minute after the test says that it is connected.</p>
    </Notice>
  );
}
