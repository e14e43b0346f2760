import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { formatTimestamp } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { useAddress } from '../../shared/use-address.js';
import styles from './health-tab.module.css';
import { FigureChart } from './figure-chart.js';
import { figuresOf } from './figures.js';
import { deductionsSql } from './overview-sql.js';
import { Timeline } from './timeline.js';
import { Totals } from './totals.js';

const scorePath = '/api/v1/clusters/{cluster_uuid}/health';
type Cluster = Answer<'/api/v1/clusters/{cluster_uuid}'>;
type Score = Answer<typeof scorePath>['history'][number];

/** The score with a reason for each deduction, its history, and the cluster's totals. */
export function HealthTab({ cluster }: { readonly cluster: Cluster }) {
  const uuid = cluster.cluster_uuid;
  const options = { params: { cluster_uuid: uuid }, query: { limit: 1 } };
  const newest = useRead(scorePath, { ...options, everySeconds: 30 });
  return (
    <>
      <Loaded query={newest} what="the score">
        {({ history: [score] }) =>
          score === undefined ? (
            <NoScore />
          ) : (
            <HealthScore
              cluster={cluster}
              score={score}
              exports={
                <Exports
                  what="deductions"
                  query={newest}
                  path={scorePath}
                  options={options}
                  rows={({ history }) => history.flatMap(deductionsOf)}
                  sql={({ history: [last] }, scope) => deductionsSql({ uuid, at: last?.at ?? null }, scope)}
                />
              }
            />
          )
        }
      </Loaded>
      <Totals cluster={cluster} />
      <FigureChart
        uuid={uuid}
        of="cluster"
        figures={figuresOf('cluster', [cluster.health ?? {}, cluster.stats ?? {}, cluster.traffic])}
      />
      <Timeline uuid={uuid} />
    </>
  );
}

function NoScore() {
  return (
    <Notice kind="not-collected" title="No score has been given yet">
      <p>The first score comes a minute after the agent has read the cluster’s health for the first time.</p>
    </Notice>
  );
}

const deductionsOf = ({ at, score, deductions }: Score) =>
  deductions.map((deduction) => ({ at, score, ...deduction }));

function verdictOf({ stale }: Cluster, { score, deductions }: Score): string {
  if (stale) return 'What was known at that time';
  if (deductions.length > 0) return 'What it costs, and what to do';
  return score === null ? 'Not known' : 'Nothing to deduct';
}

interface HealthScoreProps {
  readonly cluster: Cluster;
  readonly score: Score;
  readonly exports: ReactNode;
}

function HealthScore({ cluster, score, exports }: HealthScoreProps) {
  const { zone } = useAddress();
  return (
    <section className={styles['verdict']} aria-labelledby="verdict">
      <div className={styles['score']}>
        <strong>{score.score ?? '–'}</strong>
        <span>of 100{cluster.stale ? ', no longer current' : ''}</span>
        <time>{formatTimestamp(score.at, zone)}</time>
      </div>
      <div className={styles['reasons']}>
        <div className="field">
          <h2 id="verdict">{verdictOf(cluster, score)}</h2>
          {exports}
        </div>
        <ol>
          {score.deductions.map((deduction) => (
            <li key={deduction.code}>
              <span className={styles['points']}>−{deduction.points}</span>
              <div>
                <p>{deduction.reason}</p>
                <small>
                  {deduction.category} · <code>{deduction.code}</code>
                  {deduction.points < deduction.points_alone
                    ? ` · ${deduction.points_alone} alone; capped for its category`
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
