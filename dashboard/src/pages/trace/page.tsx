import { useCallback, useMemo, useState } from 'react';
import { Button } from '../../shared/button.js';
import { CopyButton } from '../../shared/copy-button.js';
import { DetailNav } from '../../shared/detail-nav.js';
import { Exports } from '../../shared/exports.js';
import { formatCount, formatMillis, formatNumber, formatTimestamp, zoneName } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { useAddress } from '../../shared/use-address.js';
import { traceSql } from '../traces/sql.js';
import { SpanPanel } from './span-panel.js';
import { extentOf, lengthOf, treeOf, unfolded, type Span } from './tree.js';
import { mostSpans, readOtlp, tracePath, useTrace } from './use-trace.js';
import { Waterfall } from './waterfall.js';

/** One trace: where its time went, and the fields of each span. */
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
                  {formatMillis(lengthOf(spans))}: {extentOf(spans, next !== null)}.
                </>
              }
              actions={
                <>
                  <Exports
                    what={`trace ${id}`}
                    query={query}
                    path={tracePath}
                    options={{ params: { trace_id: id } }}
                    rows={(trace) => trace.spans}
                    sql={(_, scope) => traceSql(id, scope)}
                  />
                  <CopyButton
                    label="Copy as OTLP/JSON"
                    text={async () => JSON.stringify(await readOtlp(id))}
                    impossible={
                      next !== null && spans.length >= mostSpans
                        ? `A trace of more than ${formatNumber(mostSpans)} spans cannot be copied whole: choose a span below, and copy it.`
                        : undefined
                    }
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

function Spans({ trace, spans }: { readonly trace: string; readonly spans: readonly Span[] }) {
  const { get, set } = useAddress();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const tree = useMemo(() => treeOf(spans), [spans]);
  const rows = useMemo(() => unfolded(tree, folded), [tree, folded]);
  const length = useMemo(() => lengthOf(spans), [spans]);
  const selected = get('span') === '' ? (spans[0]?.span_id ?? '') : get('span');
  const span = spans.find(({ span_id: id }) => id === selected);
  const orphans = tree.filter(({ isOrphan }) => isOrphan).length;
  const select = useCallback((id: string) => set({ span: id }, { replace: true }), [set]);
  const fold = useCallback((id: string, isFolded: boolean) => {
    setFolded((before) => {
      const now = new Set(before);
      if (isFolded) now.add(id);
      else now.delete(id);
      return now;
    });
  }, []);
  return (
    <>
      {orphans === 0 ? null : (
        <p className="muted">
          {`${formatCount(orphans, 'span')} whose parent is missing: it may still be on its way, or was not sent.`}
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
      <Waterfall {...{ rows, folded, length, selected, select, fold }} />
      {span === undefined ? (
        <Notice kind="error" title="This trace has no such span">
          <p>
            The address names the span <code>{selected}</code>, which did not come, or not yet. Choose another
            one above.
          </p>
        </Notice>
      ) : (
        <SpanPanel trace={trace} span={span} />
      )}
    </>
  );
}
