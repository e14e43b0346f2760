import { formatCount } from '../../shared/format.js';
import { Prose } from '../../shared/prose.js';
import { Table, type Column } from '../../shared/table.js';
import { explanationOf } from './explanations.js';
import type { Figure, MetricFigures } from './figures.js';
import styles from './page.module.css';

const figureColumns: readonly Column<Figure>[] = [
  { title: 'Figure', holds: 'name', cell: ({ name }) => <code>{name}</code> },
  { title: 'Value', cell: ({ value }) => value },
  { title: 'Why there is none', cell: ({ reason }) => <Prose text={reason} /> },
];

/** The figures of each metric; expanded if there is only one metric. */
export function Figures({ metrics }: { readonly metrics: readonly MetricFigures[] }) {
  if (metrics.length === 0) return null;
  return (
    <section className={styles['section']} aria-labelledby="figures">
      <h2 id="figures">Figures</h2>
      {metrics.map(({ metric, figures }) => {
        const name = metric.replaceAll('_', ' ');
        const missing = figures.filter(({ reason }) => reason !== '').length;
        return (
          <details key={metric} open={metrics.length === 1}>
            <summary>
              <strong>{name}</strong>{' '}
              <span className="muted">
                {formatCount(figures.length, 'figure')}
                {missing === 0 ? '' : `, ${missing} not computed`}
              </span>
            </summary>
            <p className="muted">
              {explanationOf(metric) ?? 'This version of the dashboard has no explanation of it.'}
            </p>
            <Table
              caption={`Figures of ${name}`}
              columns={missing === 0 ? figureColumns.slice(0, 2) : figureColumns}
              rows={figures}
              keyOf={(figure) => figure.name}
            />
          </details>
        );
      })}
    </section>
  );
}
