import { useEffect, useRef } from 'react';
import './chart-locale.js';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import styles from './chart.module.css';
import type { Zone } from './format.js';
import type { Series } from './series.js';

interface ChartProps {
  /** What is drawn, and in which unit. */
  readonly label: string;
  readonly series: Series;
  readonly zone: Zone;
  readonly bounds?: readonly [number, number];
}

const height = 220;

/** One line over time, with gaps where nothing is known, and a point where a sample stands alone. */
export function Chart({ label, series, zone, bounds }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const chart = new uPlot(
      optionsOf(element, { label, zone, ...(bounds && { bounds }) }),
      [[...series.times], [...series.values]],
      element,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [label, series, zone, bounds]);
  return (
    <figure className={styles['figure']}>
      <figcaption>{label}</figcaption>
      <div ref={place} className={styles['place']} role="img" aria-label={summaryOf(label, series)} />
    </figure>
  );
}

function optionsOf(
  element: HTMLElement,
  { label, zone, bounds }: Pick<ChartProps, 'label' | 'zone' | 'bounds'>,
): uPlot.Options {
  // A canvas knows no custom properties: the style sheet puts the colours where the browser resolves them.
  const style = getComputedStyle(element);
  const axis = { stroke: () => style.caretColor, grid: { stroke: () => style.borderTopColor, width: 1 } };
  return {
    width: element.clientWidth,
    height,
    ...(zone === 'utc'
      ? { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC') }
      : {}),
    scales: bounds === undefined ? {} : { y: { range: [bounds[0], bounds[1]] } },
    legend: { show: true },
    axes: [axis, axis],
    series: [
      {},
      {
        label,
        stroke: () => style.color,
        width: 2,
        spanGaps: false,
        points: { show: isAlone, size: 6 },
      },
    ],
  };
}

/** Points are drawn where few samples are: a lone one has no line. */
function isAlone(chart: uPlot): boolean {
  return chart.data[0].length <= 60;
}

function summaryOf(label: string, { values }: Series): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return `${label}: nothing known`;
  return `${label}: ${known.length} samples, lowest ${Math.min(...known)}, highest ${Math.max(...known)}, last ${known.at(-1) ?? ''}`;
}
