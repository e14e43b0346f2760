import { pathsOf } from './sparkline-paths.js';
import styles from './sparkline.module.css';

interface SparklineProps {
  readonly label: string;
  readonly write: (value: number) => string;
  /** By time, at equal distances; null if unknown. */
  readonly values: readonly (number | null)[];
  /** Whether the last value can still change; the line to it is dashed. */
  readonly isLastUnfinished?: boolean;
}

const width = 120;
const height = 28;

/** A figure over time in a table row, with gaps where nothing is known, and points for single values. */
export function Sparkline({ label, write, values, isLastUnfinished }: SparklineProps) {
  const { lines, points, unfinished } = pathsOf(values, width, height, isLastUnfinished);
  const known = values.filter((value) => value !== null);
  const said =
    known.length === 0
      ? `${label}: no data`
      : `${label}: lowest ${write(Math.min(...known))}, highest ${write(Math.max(...known))}${known.length < values.length ? '; with gaps' : ''}`;
  return (
    <svg className={styles['line']} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={said}>
      {lines.map((line) => (
        <polyline key={line} points={line} />
      ))}
      {unfinished === undefined ? null : <polyline points={unfinished} strokeDasharray="3 3" />}
      {points.map(({ x, y }) => (
        <circle key={x} cx={x} cy={y} r={2} />
      ))}
    </svg>
  );
}
