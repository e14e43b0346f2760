import { useMemo, useState } from 'react';
import { curlOf } from '../../api/use-read.js';
import { Button } from '../../shared/button.js';
import { CopyButton } from '../../shared/copy-button.js';
import { CsvButton } from '../../shared/csv-button.js';
import { DetailNav } from '../../shared/detail-nav.js';
import { formatMillis, formatTimestamp, formatNumber, zoneName } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { PageHeader } from '../../shared/page-header.js';
import { quoted } from '../../shared/sql-text.js';
import { useAddress } from '../../shared/use-address.js';
import { SpanPanel } from './span-panel.js';
import { lengthOf, treeOf, unfolded, type Span } from './tree.js';
import { readOtlp, tracePath, useTrace } from './use-trace.js';
import { Waterfall } from './waterfall.js';

/** One trace: where its time went, and what each span says. */
export function TracePage({ id }: { readonly id: string }) {
  const { zone } = useAddress();
  const query = useTrace(id);
  return (
    <>
      <DetailNav path="/traces" name="Traces" />
      <Loaded query={query} what="the trace" page="Trace">
        {({ spans, start, next }) => (
          <>
            <PageHeader
              title={spans[0]?.operation || 'Trace'}
              about={
                <>
                  <code>{id}</code> began {formatTimestamp(start, zone)} {zoneName(zone)}, took{' '}
                  {formatMillis(lengthOf(spans))}: {formatNumber(spans.length)} spans
                  {next === null ? '' : ', the first of more'} in{' '}
                  {new Set(spans.map(({ service }) => service)).size} services,{' '}
                  {spans.filter(({ status }) => status === 'error').length} with an error.
                </>
              }
              actions={
                <>
                  <CsvButton name={`trace-${id}`} rows={() => spans} />
                  <CopyButton
                    label="Copy as OTLP/JSON"
                    text={async () => JSON.stringify(await readOtlp(id))}
                  />
                  <CopyButton label="Copy the SQL" text={() => sqlOf(id)} />
                  <CopyButton
                    label="Copy as curl"
                    text={() => curlOf(tracePath, { params: { trace_id: id } }, Date.now())}
                  />
                </>
              }
            />
            <Spans trace={id} spans={spans} />
          </>
        )}
      </Loaded>
    </>
  );
}

const sqlOf = (id: string): string =>
  [
    'SELECT Timestamp, ServiceName, SpanName, SpanKind, Duration / 1e6 AS duration_ms, StatusCode, SpanAttributes',
    'FROM telltale.otel_traces',
    `WHERE TraceId = ${quoted(id)}`,
    'ORDER BY Timestamp',
  ].join('\n');

function Spans({ trace, spans }: { readonly trace: string; readonly spans: readonly Span[] }) {
  const { get, set } = useAddress();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const tree = useMemo(() => treeOf(spans), [spans]);
  const rows = useMemo(() => unfolded(tree, folded), [tree, folded]);
  const length = useMemo(() => lengthOf(spans), [spans]);
  const selected = get('span') === '' ? (spans[0]?.span_id ?? '') : get('span');
  const span = spans.find(({ span_id: id }) => id === selected);
  const orphans = tree.filter(({ isOrphan }) => isOrphan).length;
  const fold = (id: string, isFolded: boolean): void => {
    const now = new Set(folded);
    if (isFolded) now.add(id);
    else now.delete(id);
    setFolded(now);
  };
  return (
    <>
      {orphans === 0 ? null : (
        <p className="muted">
          {`${orphans} spans name a parent that did not come: it may still be under way, or was not sent.`}
        </p>
      )}
      <div className="field">
        <Button
          onClick={() =>
            setFolded(
              new Set(
                tree.filter(({ depth, below }) => depth > 0 && below > 0).map((row) => row.span.span_id),
              ),
            )
          }
        >
          Fold
        </Button>
        <Button onClick={() => setFolded(new Set())}>Unfold</Button>
        <span>Arrow keys move through the spans; left and right fold and unfold.</span>
      </div>
      <Waterfall
        {...{ rows, folded, length, selected, fold }}
        select={(id) => set({ span: id }, { replace: true })}
      />
      {span === undefined ? null : <SpanPanel trace={trace} span={span} />}
    </>
  );
}
