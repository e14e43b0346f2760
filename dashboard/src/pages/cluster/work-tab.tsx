import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { absent, formatBytes, formatMillis, formatPercent } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Table, type Column } from '../../shared/table.js';
import { SectionRows } from './section-note.js';

type Task = Answer<'/api/v1/clusters/{cluster_uuid}/tasks'>['tasks'][number];
type Recovery = Answer<'/api/v1/clusters/{cluster_uuid}/recoveries'>['recoveries'][number];

const taskColumns: readonly Column<Task>[] = [
  { title: 'Task', holds: 'name', cell: ({ kind, action }) => <strong>{kind ?? action ?? absent}</strong> },
  { title: 'Runs for', isFigure: true, cell: ({ running_ms: ms }) => formatMillis(ms) },
  { title: 'Done', isFigure: true, cell: ({ progress_ratio: ratio }) => formatPercent(ratio) },
  {
    title: 'From → to',
    cell: ({ from_indices: from, to_index: to }) =>
      [from.join(', '), to ?? ''].filter((text) => text !== '').join(' → ') || absent,
  },
  { title: 'Task id', holds: 'name', cell: ({ task_id: id }) => <code>{id ?? absent}</code> },
  { title: 'Action', cell: ({ action }) => <code>{action ?? absent}</code> },
];

const recoveryColumns: readonly Column<Recovery>[] = [
  {
    title: 'Shard',
    holds: 'name',
    cell: ({ index, shard, primary }) => (
      <>
        <strong>{`${index ?? absent} [${shard ?? absent}]`}</strong>{' '}
        {primary === true ? 'primary' : 'replica'}
      </>
    ),
  },
  {
    title: 'Stage',
    cell: ({ type, stage }) => `${stage ?? absent}${type === null ? '' : ` (${type})`}`.toLowerCase(),
  },
  {
    title: 'Done',
    isFigure: true,
    cell: ({ bytes_percent: percent }) => formatPercent(percent === null ? null : percent / 100),
  },
  {
    title: 'Copied',
    isFigure: true,
    cell: ({ bytes_recovered: done, bytes_total: all }) => `${formatBytes(done)} of ${formatBytes(all)}`,
  },
  {
    title: 'Speed',
    isFigure: true,
    cell: ({ bytes_per_second: speed }) =>
      speed === null ? absent : speed === 0 ? 'stands still' : `${formatBytes(speed)}/s`,
  },
  { title: 'Takes', isFigure: true, cell: ({ total_time_ms: ms }) => formatMillis(ms) },
  {
    title: 'From → to',
    cell: ({ source_node: from, target_node: to }) => [from ?? absent, to ?? absent].join(' → '),
  },
];

/** What the cluster is busy with beside its clients. */
export function WorkTab({ uuid }: { readonly uuid: string }) {
  const options = { params: { cluster_uuid: uuid }, query: { limit: 200 }, everySeconds: 30 };
  const tasks = useRead('/api/v1/clusters/{cluster_uuid}/tasks', options);
  const recoveries = useRead('/api/v1/clusters/{cluster_uuid}/recoveries', options);
  return (
    <>
      <section className="stack" aria-labelledby="tasks">
        <h2 id="tasks">Tasks that run for long</h2>
        <Loaded query={tasks} what="the tasks">
          {(list) => (
            <SectionRows
              what="tasks"
              list={list}
              count={list.tasks.length}
              none="None: no reindex, update by query, delete by query or the like was running."
            >
              <Table
                caption="Long tasks"
                columns={taskColumns}
                rows={list.tasks}
                keyOf={({ task_id: id }, place) => id ?? String(place)}
              />
            </SectionRows>
          )}
        </Loaded>
      </section>
      <section className="stack" aria-labelledby="recoveries">
        <h2 id="recoveries">Recoveries</h2>
        <Loaded query={recoveries} what="the recoveries">
          {(list) => (
            <SectionRows
              what="recoveries"
              list={list}
              count={list.recoveries.length}
              none="None: no shard was being copied or restored."
            >
              <Table
                caption="Recoveries that are under way"
                columns={recoveryColumns}
                rows={list.recoveries}
                keyOf={(_, place) => String(place)}
              />
            </SectionRows>
          )}
        </Loaded>
      </section>
    </>
  );
}
