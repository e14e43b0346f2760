import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Choice } from '../../shared/choice.js';
import { Exports } from '../../shared/exports.js';
import {
  absent,
  formatBytes,
  formatCount,
  formatTimestamp,
  formatNumber,
  type Zone,
} from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { More } from '../../shared/more.js';
import { Notice } from '../../shared/notice.js';
import { SearchField } from '../../shared/search-field.js';
import { StatusMark } from '../../shared/status-mark.js';
import type { Status } from '../../shared/status.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { usePages } from '../../shared/use-pages.js';
import { shardsSql } from './list-sql.js';
import { SectionNote } from './section-note.js';
import { UnassignedCauses } from './unassigned-causes.js';

const path = '/api/v1/clusters/{cluster_uuid}/shards';
type Shard = Answer<typeof path>['shards'][number];

const states = ['UNASSIGNED', 'INITIALIZING', 'RELOCATING', 'STARTED'] as const;

function statusOf({ state, primary }: Shard): Status {
  if (state === 'STARTED') return 'ok';
  return state === 'UNASSIGNED' && primary === true ? 'bad' : 'warn';
}

/** The meaning of states that pass by themselves. */
const passing = new Map([
  ['INITIALIZING', 'It is being filled, and answers nothing until that is done.'],
  ['RELOCATING', 'It moves to another node, and answers meanwhile.'],
]);

const columnsIn = (uuid: string, zone: Zone): readonly Column<Shard>[] => [
  {
    title: 'Shard',
    holds: 'name',
    cell: ({ index, shard, primary }) => (
      <>
        <strong>{`${index ?? absent} [${shard ?? absent}]`}</strong>{' '}
        {primary === null ? '' : primary ? 'primary' : 'replica'}
      </>
    ),
  },
  {
    title: 'State',
    cell: (of) => <State uuid={uuid} shard={of} />,
  },
  {
    title: 'Node, or why there is none',
    holds: 'text',
    cell: (of) => <Placement shard={of} zone={zone} />,
  },
  { title: 'Documents', isFigure: true, cell: ({ docs }) => formatNumber(docs) },
  { title: 'Store', isFigure: true, cell: ({ store_bytes: bytes }) => formatBytes(bytes) },
];

function State({ uuid, shard }: { readonly uuid: string; readonly shard: Shard }) {
  const { state } = shard;
  const meaning = passing.get(state ?? '');
  return (
    <>
      <StatusMark status={statusOf(shard)} word={(state ?? 'unknown').toLowerCase()} />
      {meaning === undefined ? null : (
        <div className="muted">
          {meaning} <Link href={`/clusters/${uuid}/work`}>Progress</Link>
        </div>
      )}
    </>
  );
}

function Placement({ shard, zone }: { readonly shard: Shard; readonly zone: Zone }) {
  if (shard.state !== 'UNASSIGNED')
    return `${shard.node ?? absent}${shard.relocating_to_node === null ? '' : ` → ${shard.relocating_to_node}`}`;
  const {
    unassigned_reason: reason,
    unassigned_at: at,
    recommendation,
    explanation,
    failed_attempts: failed,
  } = shard;
  return (
    <>
      <p>{recommendation ?? explanation ?? 'The cluster has not been asked why yet.'}</p>
      <small className="muted">
        {`${reason ?? 'unknown reason'}, since ${formatTimestamp(at, zone)}`}
        {failed === null ? '' : `, ${formatCount(failed, 'failed attempt')}`}
      </small>
      {recommendation === null || explanation === null ? null : (
        <details>
          <summary>What the cluster says</summary>
          {explanation}
        </details>
      )}
    </>
  );
}

/** Why shards are unassigned, then each shard, unassigned ones first. */
export function ShardsTab({ uuid }: { readonly uuid: string }) {
  const { get, set, zone } = useAddress();
  const pages = usePages();
  const filter = {
    state: states.find((one) => one === get('state')),
    index: get('index'),
    node: get('node'),
  };
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== '');
  const options = { params: { cluster_uuid: uuid }, query: { ...filter, cursor: pages.cursor, limit: 200 } };
  const query = useRead(path, { ...options, everySeconds: 60 });
  return (
    <>
      <UnassignedCauses uuid={uuid} />
      <div className="field">
        <Choice
          label="State"
          value={filter.state ?? ''}
          options={states.map((one) => [one, one.toLowerCase()] as const)}
          choose={(state) => set({ state })}
          none="all, unassigned first"
        />
        <SearchField label="Index (whole name)" name="index" />
        <SearchField label="Node (whole name)" name="node" />
        <Exports
          what="shards"
          query={query}
          path={path}
          options={options}
          rows={({ shards }) => shards.map(flat)}
          sql={({ as_of: at }, scope) =>
            shardsSql({ uuid, at }, { ...filter, state: filter.state ?? '' }, scope)
          }
        />
      </div>
      <Loaded query={query} what="the shards">
        {(list) => (
          <>
            <SectionNote what="shards" list={list} />
            {list.shards.length === 0 && isFiltered ? (
              <Notice kind="filtered-out" title="No shard fits these filters">
                <p>Index and node are whole names, as the lists of indices and nodes have them.</p>
              </Notice>
            ) : null}
            {list.shards.length === 0 ? null : (
              <>
                <Table
                  caption="Shards"
                  columns={columnsIn(uuid, zone)}
                  rows={list.shards}
                  keyOf={keysOf(list.shards)}
                />
                <More pages={pages} shown={list.shards.length} total={list.total} next={list.next} />
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

/** A shard's replicas without a node can't be told apart, so they are numbered. */
function keysOf(shards: readonly Shard[]): (shard: Shard) => string {
  const seen = new Map<string, number>();
  const keys = new Map(
    shards.map((one) => {
      const id = [one.index, one.shard, one.primary, one.node ?? ''].join(' ');
      const count = seen.get(id) ?? 0;
      seen.set(id, count + 1);
      return [one, `${id} ${count}`];
    }),
  );
  return (shard) => keys.get(shard) ?? '';
}

const flat = ({ index, shard, primary, state, node, docs, store_bytes, ...shardOf }: Shard) => ({
  ...{ index, shard, primary, state, node, docs, store_bytes },
  ...{ unassigned_reason: shardOf.unassigned_reason, unassigned_at: shardOf.unassigned_at },
  ...{ relocating_to_node: shardOf.relocating_to_node, failed_attempts: shardOf.failed_attempts },
  ...{ recommendation: shardOf.recommendation, explanation: shardOf.explanation },
});
