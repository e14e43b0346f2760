import type { Answer } from '../../../api/client.js';
import { useRead } from '../../../api/use-read.js';
import { Exports } from '../../../shared/exports.js';
import { absent, formatTimestamp, formatNumber } from '../../../shared/format.js';
import { Loaded } from '../../../shared/loaded.js';
import { PageHeader } from '../../../shared/page-header.js';
import { Prose } from '../../../shared/prose.js';
import { StatusMark } from '../../../shared/status-mark.js';
import { Table, type Column } from '../../../shared/table.js';
import { useAddress } from '../../../shared/use-address.js';

const path = '/api/v1/monitoring/metrics/scorers';
type Scorer = Answer<typeof path>['scorers'][number];

/** The model of each metric, what it needs, and why a metric is not computed. */
export function ScorersPage() {
  const query = useRead(path, { everySeconds: 60 });
  const { zone } = useAddress();
  const columns: readonly Column<Scorer>[] = [
    { title: 'Metric', holds: 'name', cell: ({ title }) => <strong>{title}</strong> },
    { title: 'State', holds: 'text', cell: (scorer) => <State scorer={scorer} /> },
    { title: 'Needs', cell: ({ needs }) => (needs.length === 0 ? 'nothing more' : needs.join(', ')) },
    { title: 'Models', cell: ({ models }) => (models.length === 0 ? 'none' : models.join(', ')) },
    { title: 'Languages', cell: ({ languages }) => languages.join(', ') || absent },
    { title: 'Threshold', cell: ({ thresholds }) => thresholdsOf(thresholds) || absent },
    {
      title: 'Version',
      cell: ({ version, reported_at: at }) => (
        <details>
          <summary>Show</summary>
          <p>{version ?? absent}</p>
          <p className="muted">{`since ${formatTimestamp(at, zone)}`}</p>
        </details>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title="Scorers"
        about="What computes each metric here, as reported by the running processors. They check again every minute."
        actions={
          <Exports what="scorers" query={query} path={path} rows={({ scorers }) => scorers.map(rowOf)} />
        }
      />
      <Loaded query={query} what="the scorers" from={['edge']}>
        {({ scorers }) => (
          <Table caption="Scorers" columns={columns} rows={scorers} keyOf={({ metric }) => metric} />
        )}
      </Loaded>
    </>
  );
}

function State({ scorer: { available, unavailable } }: { readonly scorer: Scorer }) {
  const [status, word] = !available
    ? (['unknown', 'not computed'] as const)
    : unavailable === null
      ? (['ok', 'available'] as const)
      : (['warn', 'partly available'] as const);
  return (
    <>
      <StatusMark status={status} word={word} />
      {unavailable === null ? null : (
        <div className="muted">
          <Prose text={unavailable} />
        </div>
      )}
    </>
  );
}

const thresholdsOf = (thresholds: Scorer['thresholds']): string =>
  Object.entries(thresholds)
    .map(([key, from]) => `${key} ${formatNumber(from, 3)}`)
    .join(', ');

const rowOf = ({ needs, models, languages, thresholds, ...scorer }: Scorer) => ({
  ...scorer,
  needs: needs.join(', '),
  models: models.join(', '),
  languages: languages.join(', '),
  thresholds: thresholdsOf(thresholds),
});
