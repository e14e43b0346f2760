import type { Answer } from '../../api/client.js';
import { curlOf, useRead } from '../../api/use-read.js';
import { CopyButton } from '../../shared/copy-button.js';
import { CsvButton } from '../../shared/csv-button.js';
import { absent, formatAgo, formatTimestamp, formatNumber } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { adviceOf, formatLag, judgeStage, type Stage } from '../../shared/stage-status.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { useNow } from '../../shared/use-now.js';
import { Diagram } from './diagram.js';
import { HopTimes } from './hop-times.js';

const path = '/api/v1/pipeline';
type Pipeline = Answer<typeof path>;

/** The diagram of the architecture with what each stage does now, and the same as a table. */
export function StagesTab() {
  const query = useRead(path, { everySeconds: 5 });
  return (
    <>
      <Loaded query={query} what="the stages">
        {(pipeline) => <Stages pipeline={pipeline} />}
      </Loaded>
      <HopTimes />
    </>
  );
}

function Stages({ pipeline }: { readonly pipeline: Pipeline }) {
  const { zone } = useAddress();
  const now = useNow(1);
  return (
    <>
      <div className="field">
        <time title={formatTimestamp(pipeline.at, zone)}>Data of {formatAgo(pipeline.at, now)}</time>
        <CsvButton name="pipeline" rows={() => pipeline.stages.map(rowOf)} />
        <CopyButton label="Copy as curl" text={() => curlOf(path, {}, Date.now())} />
      </div>
      <Diagram stages={pipeline.stages} />
      <details>
        <summary>The same as a table</summary>
        <Table
          caption="Stages of the pipeline"
          columns={columns}
          rows={pipeline.stages}
          keyOf={({ stage }) => stage}
        />
      </details>
    </>
  );
}

const columns: readonly Column<Stage>[] = [
  { title: 'Stage', cell: ({ stage }) => stage },
  {
    title: 'State',
    cell: (stage) => {
      const { status, word } = judgeStage(stage);
      return <StatusMark status={status} word={word} />;
    },
  },
  { title: 'Reads', cell: ({ topic }) => <code>{topic}</code> },
  {
    title: 'Appended, last minute',
    isFigure: true,
    cell: ({ appended_last_minute: count }) => formatNumber(count, 0),
  },
  { title: 'Lag, records', isFigure: true, cell: ({ lag_records: count }) => formatNumber(count, 0) },
  {
    title: 'Lag, time',
    isFigure: true,
    cell: ({ lag_seconds: seconds }) => formatLag(seconds) ?? absent,
  },
  { title: 'Processes', isFigure: true, cell: ({ members }) => formatNumber(members, 0) },
  { title: 'Dead letters kept', isFigure: true, cell: ({ dead_letters: count }) => formatNumber(count, 0) },
  { title: 'Why, and what to do', holds: 'text', cell: (stage) => adviceOf(stage) ?? '' },
];

const rowOf = ({ partitions, ...stage }: Stage): Omit<Stage, 'partitions'> & { partitions: number } => ({
  ...stage,
  partitions: partitions.length,
});
