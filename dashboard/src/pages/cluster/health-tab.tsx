import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Facts } from '../../shared/facts.js';
import { formatBytes, formatMillis, formatTimestamp, formatNumber } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { useAddress } from '../../shared/use-address.js';
import styles from './health-tab.module.css';
import { FigureChart } from './figure-chart.js';
import { figuresOf } from './figures.js';
import { Timeline } from './timeline.js';

type Cluster = Answer<'/api/v1/clusters/{cluster_uuid}'>;
type Score = Answer<'/api/v1/clusters/{cluster_uuid}/health'>['history'][number];

/** The score with a reason for each deduction, its history, and the cluster's totals. */
export function HealthTab({ cluster }: { readonly cluster: Cluster }) {
  const params = { cluster_uuid: cluster.cluster_uuid };
  const newest = useRead('/api/v1/clusters/{cluster_uuid}/health', {
    params,
    query: { limit: 1 },
    everySeconds: 30,
  });
  return (
    <>
      <Loaded query={newest} what="the score">
        {({ history: [score] }) =>
          score === undefined ? <NoScore /> : <HealthScore cluster={cluster} score={score} />
        }
      </Loaded>
      <Totals cluster={cluster} />
      <FigureChart
        uuid={cluster.cluster_uuid}
        of="cluster"
        figures={figuresOf('cluster', [cluster.health ?? {}, cluster.stats ?? {}, cluster.traffic])}
      />
      <Timeline uuid={cluster.cluster_uuid} />
    </>
  );
}

function NoScore() {
  return (
    <Notice kind="not-collected" title="No score has been given yet">
      <p>The first one comes a minute after the agent has read the cluster’s health for the first time.</p>
    </Notice>
  );
}

function HealthScore({ cluster, score }: { readonly cluster: Cluster; readonly score: Score }) {
  const { zone } = useAddress();
  return (
    <section className={styles['verdict']} aria-labelledby="verdict">
      <div className={styles['score']}>
        <strong>{score.score ?? '–'}</strong>
        <span>of 100{cluster.stale ? ', no longer current' : ''}</span>
        <time>{formatTimestamp(score.at, zone)}</time>
      </div>
      <div className={styles['reasons']}>
        <h2 id="verdict">
          {score.deductions.length === 0 ? 'Nothing to deduct' : 'What it costs, and what to do'}
        </h2>
        <ol>
          {score.deductions.map((deduction) => (
            <li key={deduction.code}>
              <span className={styles['points']}>−{deduction.points}</span>
              <div>
                <p>{deduction.reason}</p>
                <small>
                  {deduction.category} · <code>{deduction.code}</code>
                  {deduction.points < deduction.points_alone
                    ? ` · ${deduction.points_alone} alone; a category is bounded`
                    : ''}
                </small>
              </div>
            </li>
          ))}
        </ol>
        {score.not_measured.length === 0 ? null : (
          <details>
            <summary>{`Not evaluated: ${score.not_measured.length}`}</summary>
            <ul>
              {score.not_measured.map(({ what, reason }) => (
                <li key={`${what} ${reason}`}>
                  <strong>{what}</strong>: {reason}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </section>
  );
}

function Totals({ cluster: { health, stats, traffic } }: { readonly cluster: Cluster }) {
  return (
    <section className={styles['totals']} aria-label="Totals">
      <h2>Now</h2>
      <Facts
        facts={[
          ['Nodes', formatNumber(health?.nodes)],
          ['Data nodes', formatNumber(health?.data_nodes)],
          ['Master', health?.master_node ?? (health?.no_master === true ? 'none elected' : undefined)],
          ['Active shards', formatNumber(health?.active_shards)],
          ['Unassigned shards', formatNumber(health?.unassigned_shards)],
          ['Unassigned primaries', formatNumber(health?.unassigned_primaries)],
          ['Pending tasks', formatNumber(health?.pending_tasks)],
          ['Longest wait', formatMillis(health?.pending_tasks_max_wait_ms)],
          ['Indices', formatNumber(stats?.indices)],
          ['Documents', formatNumber(stats?.docs_count)],
          ['Store', formatBytes(stats?.store_bytes)],
          ['Disk available', formatBytes(stats?.fs_available_bytes)],
          ['Queries', perSecond(traffic.queries_per_second)],
          ['Indexed', perSecond(traffic.indexed_per_second)],
        ]}
      />
    </section>
  );
}

const perSecond = (value: number | null | undefined): string | undefined =>
  value === null || value === undefined ? undefined : `${formatNumber(value)}/s`;
