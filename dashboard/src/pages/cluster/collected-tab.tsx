import type { UseQueryResult } from '@tanstack/react-query';
import type { Answer, ApiError } from '../../api/client.js';
import { Exports } from '../../shared/exports.js';
import { formatTimestamp, type Zone } from '../../shared/format.js';
import { StatusMark } from '../../shared/status-mark.js';
import type { Verdict } from '../../shared/status.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { sectionsSql } from './overview-sql.js';
import { Watchers } from './watchers.js';

const path = '/api/v1/clusters/{cluster_uuid}';
type Cluster = Answer<typeof path>;
type Section = Cluster['sections'][number];

const columnsIn = (zone: Zone): readonly Column<Section>[] => [
  { title: 'Section', holds: 'name', cell: ({ section }) => <strong>{section.replaceAll('_', ' ')}</strong> },
  {
    title: 'State',
    cell: (section) => {
      const { status, word } = verdictOf(section);
      return <StatusMark status={status} word={word} />;
    },
  },
  {
    title: 'Last snapshot',
    holds: 'name',
    cell: ({ as_of: at }) => <time>{formatTimestamp(at, zone)}</time>,
  },
  { title: 'Why not', holds: 'text', cell: (section) => verdictOf(section).reason ?? '' },
  {
    title: 'Privilege needed',
    cell: ({ privilege }) => (privilege === null ? '' : <code>{privilege}</code>),
  },
  {
    title: 'Missing figures',
    cell: ({ unavailable }) =>
      Object.entries(unavailable).map(([field, reason]) => (
        <p key={field}>
          <code>{field}</code>: {reason}
        </p>
      )),
  },
];

/** If the agent reports an obstacle, shows that: it explains more than that nothing has arrived. */
function verdictOf({ state, late, reason }: Section): Verdict {
  if (state !== null && state !== 'ok')
    return { status: late ? 'warn' : 'unknown', word: state.replaceAll('_', ' '), reason: reason ?? unsaid };
  if (late) return { status: 'warn', word: 'late', reason: reason ?? unsaid };
  return state === 'ok'
    ? { status: 'ok', word: 'ok', reason }
    : { status: 'unknown', word: 'unknown', reason: reason ?? unsaid };
}

const unsaid =
  'The agent gives no reason: check below whether it runs and reaches the cluster, then read its log.';

interface CollectedTabProps {
  readonly query: UseQueryResult<Cluster, ApiError>;
  readonly cluster: Cluster;
}

/** The sections that the agent collects, and the privilege that it lacks for those it can't. */
export function CollectedTab({ query, cluster }: CollectedTabProps) {
  const { zone } = useAddress();
  const uuid = cluster.cluster_uuid;
  return (
    <>
      <Exports
        what="sections of the cluster"
        query={query}
        path={path}
        options={{ params: { cluster_uuid: uuid } }}
        rows={({ sections }) => sections.map(flat)}
        sql={(_, scope) => sectionsSql(uuid, scope)}
      />
      {cluster.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <Table
        caption="Sections of the cluster"
        columns={columnsIn(zone)}
        rows={cluster.sections}
        keyOf={({ section }) => section}
      />
      <Watchers uuid={uuid} />
    </>
  );
}

const flat = ({ unavailable, ...section }: Section) => ({
  ...section,
  unavailable: Object.entries(unavailable)
    .map(([field, reason]) => `${field}: ${reason}`)
    .join('; '),
});
