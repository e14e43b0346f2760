import { useQuery } from '@tanstack/react-query';
import type { ApiError } from '../../api/client.js';
import { CopyButton } from '../../shared/copy-button.js';
import { Exports } from '../../shared/exports.js';
import { Facts } from '../../shared/facts.js';
import { absent, formatMillis, formatTimestamp, zoneName } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { spanSql } from '../traces/sql.js';
import { attributeRows, detailsOf, type Named, type SpanDetails } from './otlp-span.js';
import type { Span } from './tree.js';
import { otlpPath, readOtlp } from './use-trace.js';
import styles from './span-panel.module.css';

/** Everything that was sent with a span, read when it is chosen: a whole trace can have gigabytes. */
export function SpanPanel({ trace, span }: { readonly trace: string; readonly span: Span }) {
  const query = useQuery<Awaited<ReturnType<typeof readOtlp>>, ApiError>({
    queryKey: [otlpPath, trace, span.span_id],
    queryFn: ({ signal }) => readOtlp(trace, span.span_id, signal),
    refetchOnWindowFocus: false,
  });
  return (
    <section className={styles['panel']} aria-labelledby="span">
      <div className="field">
        <h2 id="span">{span.operation === '' ? '(no name)' : span.operation}</h2>
        <Exports
          what={`attributes of the span ${span.span_id}`}
          query={query}
          path={otlpPath}
          options={{ params: { trace_id: trace }, query: { span_id: span.span_id } }}
          rows={(otlp) => attributeRows(detailsOf(otlp))}
          sql={(_, scope) => spanSql(trace, span.span_id, scope)}
        />
        <CopyButton
          label="Copy the span as OTLP/JSON"
          text={async () => JSON.stringify(await readOtlp(trace, span.span_id), undefined, 2)}
        />
      </div>
      <Facts
        facts={[
          ['Took', formatMillis(span.duration_ms)],
          ['Began after', formatMillis(span.offset_ms)],
          ['Service', span.service === '' ? absent : span.service],
          ['Application', span.application === '' ? absent : span.application],
          ['Kind', span.kind],
          ['Status', span.status === 'unset' ? 'not said' : span.status],
        ]}
      />
      <Loaded key={span.span_id} query={query} what="what the span says">
        {(otlp) => <Details details={detailsOf(otlp)} />}
      </Loaded>
    </section>
  );
}

function Details({ details }: { readonly details: SpanDetails }) {
  const { zone } = useAddress();
  const { message, attributes, resource, scope, events, links } = details;
  return (
    <>
      {message === '' ? null : <p>{message}</p>}
      <Attributes title="Attributes" of={attributes} />
      {events.map(({ name, at, attributes: of }, index) => (
        <Attributes
          key={index}
          title={`Event ${name}${at === null ? '' : ` at ${formatTimestamp(at, zone)}${at.slice(19, 23)} ${zoneName(zone)}`}`}
          of={of}
        />
      ))}
      {links.map(({ trace, span, attributes: of }, index) => (
        <div key={index}>
          Link to <Link href={`/traces/${trace}?span=${span}`}>{`span ${span} of trace ${trace}`}</Link>
          {of.length === 0 ? null : <Attributes title="Attributes of the link" of={of} />}
        </div>
      ))}
      <Attributes title="Resource" of={resource} />
      {scope === '' ? null : <p className="muted">{`Recorded by ${scope}`}</p>}
    </>
  );
}

const columns: readonly Column<Named[number]>[] = [
  { title: 'Key', cell: ([key]) => <code>{key}</code> },
  { title: 'Value', cell: ([, value]) => <span className={styles['value']}>{value}</span> },
];

function Attributes({ title, of }: { readonly title: string; readonly of: Named }) {
  return (
    <div>
      <h3>{title}</h3>
      {of.length === 0 ? (
        <p className="muted">None came.</p>
      ) : (
        <Table caption={title} columns={columns} rows={of} keyOf={([key], index) => `${key} ${index}`} />
      )}
    </div>
  );
}
