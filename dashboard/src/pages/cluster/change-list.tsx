import { formatTimestamp, zoneName, type Zone } from '../../shared/format.js';
import { Notice } from '../../shared/notice.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Table, type Column } from '../../shared/table.js';
import styles from './change-list.module.css';
import type { Change } from './changes.js';

const columnsIn = (zone: Zone): readonly Column<Change>[] => [
  {
    title: `At (${zoneName(zone)})`,
    cell: ({ at }) => <time className="nowrap">{formatTimestamp(at, zone)}</time>,
  },
  { title: 'What', cell: ({ status, word }) => <StatusMark status={status} word={word} /> },
  { title: 'Which', cell: ({ text }) => text },
];

interface ChangeListProps {
  readonly changes: readonly Change[];
  readonly zone: Zone;
}

/** When the cluster changed its colour, and when rules began and ended. */
export function ChangeList({ changes, zone }: ChangeListProps) {
  return (
    <div className={styles['list']}>
      <h2>What happened</h2>
      {changes.length === 0 ? (
        <Notice kind="none-in-range" title="No colour and no rule changed between the scores of this range">
          <p>Choose a longer range to look further back.</p>
        </Notice>
      ) : (
        <Table
          caption="What happened"
          columns={columnsIn(zone)}
          rows={changes}
          keyOf={(_, place) => String(place)}
        />
      )}
    </div>
  );
}
