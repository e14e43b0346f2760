import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { formatMillis, formatTimestamp, formatNumber, formatPercent, zoneName } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Table, type Column } from '../../shared/table.js';
import type { TimeRange } from '../../shared/time-range.js';
import { useAddress } from '../../shared/use-address.js';
import { CallMap } from './call-map.js';
import { callsSql } from './sql.js';

const path = '/api/v1/applications/calls';
type Call = Answer<typeof path>['calls'][number];

const columns: readonly Column<Call>[] = [
  { title: 'Caller', cell: ({ caller }) => caller },
  { title: 'Called', cell: ({ called }) => `→ ${called}` },
  { title: 'Calls', isFigure: true, cell: ({ calls }) => formatNumber(calls) },
  { title: 'Errors', isFigure: true, cell: ({ errors, calls }) => formatPercent(errors / calls, 1) },
  { title: 'p50', isFigure: true, cell: ({ p50_ms: ms }) => formatMillis(ms) },
  { title: 'p95', isFigure: true, cell: ({ p95_ms: ms }) => formatMillis(ms) },
];

/** Which application calls which. */
export function Calls({ range }: { readonly range: TimeRange }) {
  const { zone } = useAddress();
  const query = useRead(path, { range, everySeconds: 60 });
  return (
    <section className="stack" aria-labelledby="calls">
      <div className="field">
        <h2 id="calls">Who calls whom</h2>
        <Exports
          what="calls between applications"
          query={query}
          path={path}
          options={{ range }}
          rows={({ calls }) => calls}
          sql={(_, scope) => callsSql(scope)}
        />
      </div>
      <Loaded query={query} what="the calls">
        {({ calls, cut, from }) =>
          calls.length === 0 ? (
            <p className="muted">
              No application called another: no span has a parent in another application.
            </p>
          ) : (
            <>
              <p className="muted">{`Since ${formatTimestamp(from, zone)} ${zoneName(zone)}.`}</p>
              <CallMap calls={calls} />
              <Table
                caption="Calls"
                columns={columns}
                rows={calls}
                keyOf={({ caller, called }) => `${caller} ${called}`}
              />
              {cut ? <p className="muted">{`The ${calls.length} most frequent: there are more.`}</p> : null}
            </>
          )
        }
      </Loaded>
    </section>
  );
}
