import type { Answer } from '../../api/client.js';
import { formatMillis, formatNumber, formatPercent } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { boxHeight, boxWidth, laidOutCalls, type MapEdge } from './call-layout.js';
import styles from './call-map.module.css';

type Call = Answer<'/api/v1/applications/calls'>['calls'][number];

/** More lines can't be distinguished. */
const mostCalls = 60;

/** The calls with the most traffic as a drawing; the table below has the figures of all. */
export function CallMap({ calls }: { readonly calls: readonly Call[] }) {
  const busiest = [...calls].sort((one, other) => other.calls - one.calls).slice(0, mostCalls);
  const { width, height, nodes, edges } = laidOutCalls(busiest);
  return (
    <div className={styles['scroll']} role="region" aria-label="Map of calls" tabIndex={0}>
      <div className={styles['map']} style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          {edges.map((edge) => (
            <Edge key={edge.path} edge={edge} />
          ))}
        </svg>
        {nodes.map(({ name, x, y }) => (
          <Link
            key={name}
            className={styles['node']}
            href={`/applications?${new URLSearchParams({ application: name }).toString()}`}
            style={{ left: x, top: y, width: boxWidth, height: boxHeight }}
            title={name}
          >
            <span>{name === '' ? '(no name)' : name}</span>
          </Link>
        ))}
      </div>
      {calls.length <= mostCalls ? null : (
        <p className="muted">{`The ${mostCalls} busiest of ${calls.length} calls are drawn.`}</p>
      )}
    </div>
  );
}

/** A dashed line stands for calls of which some failed: its label says how many. */
function Edge({ edge: { call, path, labelX, labelY } }: { readonly edge: MapEdge<Call> }) {
  const failed = call.errors === 0 ? '' : `, ${formatPercent(call.errors / call.calls, 1)} failed`;
  return (
    <g data-failed={call.errors > 0}>
      <path d={path} strokeWidth={1 + Math.log10(call.calls)} />
      <circle cx={path.split(' ').at(-2)} cy={path.split(' ').at(-1)} r={4} />
      <text x={labelX} y={labelY} textAnchor="middle">
        {`${formatNumber(call.calls)}${failed}`}
      </text>
      <text x={labelX} y={labelY + 22} textAnchor="middle">
        {`p95 ${formatMillis(call.p95_ms)}`}
      </text>
    </g>
  );
}
