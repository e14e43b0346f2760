import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { CodeBlock } from '../../shared/code-block.js';
import {
  absent,
  formatBytes,
  formatMillis,
  formatTimestamp,
  formatNumber,
  zoneName,
  type Zone,
} from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { isListedInPart } from './slow-row.js';

const path = '/api/v1/clusters/{cluster_uuid}/slow-operations/{operation_id}';
export type SlowOperation = Answer<typeof path>['slow_operation'];

/** The columns of a list of slow operations. */
export const operationColumns = (zone: Zone, uuid: string): readonly Column<SlowOperation>[] => [
  {
    title: `At (${zoneName(zone)})`,
    holds: 'name',
    cell: ({ at }) => <time>{formatTimestamp(at, zone)}</time>,
  },
  { title: 'Took', isFigure: true, cell: ({ took_ms: ms }) => <strong>{formatMillis(ms)}</strong> },
  {
    title: 'Kind',
    holds: 'name',
    cell: ({ kind, phase }) => (phase === 'index' ? kind : `${kind}, ${phase}`),
  },
  { title: 'Index', holds: 'name', cell: ({ index, shard }) => `${index} [${shard ?? absent}]` },
  { title: 'Node', holds: 'name', cell: ({ node_name: node }) => node ?? absent },
  {
    title: 'Hits',
    isFigure: true,
    cell: ({ total_hits: hits, total_hits_at_least: isAtLeast }) =>
      `${isAtLeast && hits !== null ? 'at least ' : ''}${formatNumber(hits)}`,
  },
  { title: 'What was asked', holds: 'text', cell: (operation) => <Query {...{ operation, uuid }} /> },
];

interface QueryProps {
  readonly operation: SlowOperation;
  readonly uuid: string;
}

function Query({ operation, uuid }: QueryProps) {
  const { id, query, query_cut: isCut, withheld, source_bytes: bytes } = operation;
  const { get, set } = useAddress();
  const isOpen = get('operation') === id;
  const origin = <Origin operation={operation} />;
  if (withheld !== null)
    return (
      <>
        <em>{`withheld: ${withheld}`}</em>
        {origin}
      </>
    );
  if (query === null)
    return (
      <>
        {bytes === null ? absent : `a document of ${formatBytes(bytes)}`}
        {origin}
      </>
    );
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== isOpen) set({ operation: open ? id : '' }, { replace: true });
      }}
    >
      <summary>
        <code>{query.length > 80 ? `${query.slice(0, 80)}…` : query}</code>
      </summary>
      {isOpen ? <WholeQuery {...{ id, uuid }} listed={query} /> : null}
      {isCut ? <p className="muted">The agent keeps the beginning of a query.</p> : null}
      {origin}
    </details>
  );
}

interface WholeQueryProps {
  readonly id: string;
  readonly uuid: string;
  readonly listed: string;
}

/** Lists have only the start of a long query: the whole query is read when it is opened. */
function WholeQuery({ id, uuid, listed }: WholeQueryProps) {
  const isPart = isListedInPart(listed);
  const query = useRead(path, { params: { cluster_uuid: uuid, operation_id: id }, enabled: isPart });
  if (!isPart) return <CodeBlock label="Query">{prettyPrinted(listed)}</CodeBlock>;
  return (
    <Loaded query={query} what="the query">
      {({ slow_operation: { query: whole } }) => (
        <CodeBlock label="Query">{prettyPrinted(whole ?? listed)}</CodeBlock>
      )}
    </Loaded>
  );
}

/** What the slow log says about the caller, if anything. */
function Origin({ operation }: { readonly operation: SlowOperation }) {
  const { opaque_id: id, user, trace_id: trace } = operation;
  return (
    <>
      {id === null ? null : <Said name="Opaque id">{id}</Said>}
      {user === null ? null : <Said name="User">{user}</Said>}
      {trace === null ? null : (
        <Said name="Trace">
          {/^[0-9a-f]{32}$/.test(trace) ? <Link href={`/traces/${trace}`}>{trace}</Link> : trace}
        </Said>
      )}
    </>
  );
}

const Said = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="muted">
    {name}: <code>{children}</code>
  </div>
);

interface LinkedOperationProps {
  readonly uuid: string;
  readonly listed: readonly SlowOperation[];
}

/** The operation that the address names, if it is not among the listed ones. */
export function LinkedOperation({ uuid, listed }: LinkedOperationProps) {
  const { get, zone } = useAddress();
  const id = get('operation');
  const isAbsent = id !== '' && !listed.some((operation) => operation.id === id);
  const query = useRead(path, { params: { cluster_uuid: uuid, operation_id: id }, enabled: isAbsent });
  if (!isAbsent) return null;
  return (
    <Loaded query={query} what="the slow operation">
      {({ slow_operation: operation }) => (
        <>
          <h2>The operation of this address</h2>
          <Table
            caption="The operation of this address"
            columns={operationColumns(zone, uuid)}
            rows={[operation]}
            keyOf={() => id}
          />
        </>
      )}
    </Loaded>
  );
}

/** Adds line breaks to JSON for people; leaves other text and cut JSON unchanged. */
function prettyPrinted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
