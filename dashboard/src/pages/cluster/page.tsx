import { useRead } from '../../api/use-read.js';
import { formatAgo } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { StatusMark } from '../../shared/status-mark.js';
import { healthStatus } from '../../shared/status.js';
import { Tabs } from '../../shared/tabs.js';
import { useNow } from '../../shared/use-now.js';
import { CollectedTab } from './collected-tab.js';
import { HealthTab } from './health-tab.js';
import { IndicesTab } from './indices-tab.js';
import { NodesTab } from './nodes-tab.js';
import { PoolsTab } from './pools-tab.js';
import { ShardsTab } from './shards-tab.js';
import { SlowTab } from './slow-tab.js';
import { StreamsTab } from './streams-tab.js';
import { WorkTab } from './work-tab.js';

const path = '/api/v1/clusters/{cluster_uuid}';
const tabs = [
  { id: 'health', name: 'Health' },
  { id: 'nodes', name: 'Nodes' },
  { id: 'indices', name: 'Indices' },
  { id: 'shards', name: 'Shards' },
  { id: 'streams', name: 'Data streams' },
  { id: 'work', name: 'Tasks and recoveries' },
  { id: 'pools', name: 'Pools' },
  { id: 'slow', name: 'Slow operations' },
  { id: 'collected', name: 'Collected' },
] as const;

/** One cluster: the reasons of its score, and its nodes, indices and shards. */
export function ClusterPage({ uuid, tab }: { readonly uuid: string; readonly tab: string }) {
  const params = { cluster_uuid: uuid };
  const query = useRead(path, { params, everySeconds: 15 });
  const now = useNow(5);
  return (
    <>
      <nav aria-label="Where this is">
        <Link href="/clusters">Clusters</Link>
      </nav>
      <Loaded query={query} what="the cluster" page="Cluster">
        {(cluster) => (
          <>
            <PageHeader
              title={cluster.cluster_name ?? uuid}
              beside={<Colour uuid={uuid} status={cluster.status} />}
              about={`Elasticsearch ${cluster.cluster_version ?? 'of an unknown version'}, last seen ${formatAgo(cluster.seen_at, now)}. ${cluster.reason ?? ''}`}
            />
            <Tabs label="Parts of the cluster" base={`/clusters/${uuid}`} tabs={tabs} current={tab} />
            {tab === 'health' ? <HealthTab cluster={cluster} /> : null}
            {tab === 'nodes' ? <NodesTab cluster={cluster} /> : null}
            {tab === 'indices' ? <IndicesTab uuid={uuid} /> : null}
            {tab === 'shards' ? <ShardsTab uuid={uuid} /> : null}
            {tab === 'streams' ? <StreamsTab uuid={uuid} /> : null}
            {tab === 'work' ? <WorkTab uuid={uuid} /> : null}
            {tab === 'pools' ? <PoolsTab uuid={uuid} /> : null}
            {tab === 'slow' ? <SlowTab uuid={uuid} /> : null}
            {tab === 'collected' ? <CollectedTab query={query} cluster={cluster} /> : null}
            {tabs.some(({ id }) => id === tab) ? null : (
              <Notice kind="error" title="There is no such view">
                <p>Choose one of those above.</p>
              </Notice>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

/** The colour of the cluster; if it is not green, it links to the reasons. */
function Colour({ uuid, status }: { readonly uuid: string; readonly status: string | null }) {
  const mark = <StatusMark status={healthStatus(status)} word={status ?? 'unknown'} />;
  return status === 'red' || status === 'yellow' ? <Link href={`/clusters/${uuid}`}>{mark}</Link> : mark;
}
