import { useEffect, useRef } from 'react';
import './chart-locale.js';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import styles from './chart.module.css';
import { chartOptions, timesOf, type ChartLine, type ChartShape } from './chart-options.js';
import { onColourChange } from './colour-change.js';
import { formatTimestamp, zoneName, type Zone } from './format.js';
import { gapsIn, unfinishedPart, withGaps, type Extent, type Sample } from './series.js';
import { useAddress } from './use-address.js';

interface ChartProps {
  /** What is drawn, and its unit. */
  readonly label: string;
  readonly lines: readonly {
    readonly name: string;
    readonly samples: readonly Sample[];
    readonly isOfOther?: boolean;
  }[];
  /** The period of the answer. It is drawn whole, to show that there are no later samples. */
  readonly period: { readonly from: string; readonly to: string };
  /** The time that a sample stands for. A missing sample leaves a gap. */
  readonly stepMs: number;
  /** The label of gaps in which no line has samples, if they mean an outage. */
  readonly gapLabel?: string;
  readonly bounds?: readonly [number, number];
  /** Values such as a watermark, drawn across the chart. */
  readonly marks?: readonly { readonly name: string; readonly value: number }[];
  readonly write?: (value: number) => string;
  /** Whether values are bytes, which people count in powers of two. */
  readonly isBytes?: boolean;
}

const height = 220;
/** A screen reader's user would not listen to more. */
const maxGapsNamed = 12;

/** The pointer's position in pixels, kept when a new answer replaces the chart. Negative if elsewhere. */
interface Pointed {
  readonly left: number;
  readonly top: number;
}
const nowhere: Pointed = { left: -1, top: -1 };

/**
 * Lines over a period, with gaps where nothing is known, points for single samples, and dashes to a sample
 * whose time is not over. Dragging over a part of the chart makes that part the page's range.
 */
export function Chart(props: ChartProps) {
  const { label, lines, period, stepMs, gapLabel, bounds, marks, write, isBytes } = props;
  const container = useRef<HTMLDivElement>(null);
  const remove = useRef((): Pointed => nowhere);
  const { range, zone, setRange } = useAddress();
  const extent: Extent = { from: period.from, to: period.to, isOngoing: range.kind === 'last' };
  const longestMs = 1.5 * stepMs;
  const drawn = lines.map(({ name, samples, isOfOther = false }): ChartLine => ({
    ...{ name, isOfOther, series: withGaps(samples, longestMs) },
  }));
  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const shape: ChartShape = {
      ...{ lines: drawn, longestMs, stepMs, extent, zone, height },
      ...{ gapLabel, bounds, marks: marks ?? [], write: write ?? ((value) => String(value)) },
      isBytes: isBytes ?? false,
      choose: (begin, end) =>
        setRange({
          kind: 'fixed',
          from: new Date(begin * 1_000).toISOString(),
          to: new Date(end * 1_000).toISOString(),
        }),
    };
    // Each chart of a page is drawn in a separate task. Until then the previous chart stays.
    const timer = setTimeout(() => {
      remove.current = draw(element, shape, remove.current());
    });
    return () => clearTimeout(timer);
    // Compared by content, because callers make new samples at each render.
  }, [JSON.stringify([drawn, bounds, marks, gapLabel, stepMs, extent]), zone, setRange]);
  useEffect(() => () => void remove.current(), []);
  const isOpen = drawn.some(
    ({ series: { times, values } }) => unfinishedPart(times, values, stepMs, extent) !== undefined,
  );
  const said = isOpen ? `${label}; dashed: the last value is incomplete` : label;
  return (
    <figure className={styles['figure']}>
      <figcaption>{[said, ...saidMarks(marks ?? [], write ?? String)].join(' · ')}</figcaption>
      <div
        ref={container}
        className={styles['place']}
        role="img"
        aria-label={[
          summaryOf(said, drawn, marks ?? [], write ?? String),
          ...saidGaps(drawn, { gapLabel, longestMs, extent, zone }),
        ].join('. ')}
      />
    </figure>
  );
}

/** Draws a chart with the former pointer. Returns a function that removes it and returns its pointer. */
function draw(element: HTMLElement, shape: ChartShape, pointed: Pointed): () => Pointed {
  const chart = new uPlot(chartOptions(element, shape), tableOf(shape.lines), element);
  const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
  observer.observe(element);
  const endColours = onColourChange(() => chart.redraw(false));
  chart.setCursor(pointed);
  return () => {
    const { left = -1, top = -1 } = chart.cursor;
    observer.disconnect();
    endColours();
    chart.destroy();
    return { left, top };
  };
}

/**
 * One column of times for all lines. If a line has no sample at another line's time, it is drawn through; its
 * own nulls remain gaps.
 */
function tableOf(lines: readonly ChartLine[]): uPlot.AlignedData {
  const tables = lines.map(({ series: { times, values } }): uPlot.AlignedData => [[...times], [...values]]);
  return tables.length < 2
    ? (tables[0] ?? [[]])
    : uPlot.join(
        tables,
        tables.map(() => [2, 2]),
      );
}

function summaryOf(
  label: string,
  lines: readonly ChartLine[],
  marks: ChartShape['marks'],
  write: (value: number) => string,
): string {
  const said = lines.map(({ name, series: { values } }) => {
    const known = values.filter((value) => value !== null);
    const last = known.at(-1);
    if (last === undefined) return `${name}: no data`;
    const [lowest, highest] = [write(Math.min(...known)), write(Math.max(...known))];
    return `${name}: ${known.length} samples, lowest ${lowest}, highest ${highest}, last ${write(last)}`;
  });
  return `${label}. ${[...said, ...saidMarks(marks, write)].join('. ')}`;
}

const saidMarks = (marks: ChartShape['marks'], write: (value: number) => string): readonly string[] =>
  marks.map(({ name, value }) => `${name} at ${write(value)}`);

interface Looked {
  readonly gapLabel: string | undefined;
  readonly longestMs: number;
  readonly extent: Extent;
  readonly zone: Zone;
}

/** The shaded gaps in words, for people who can't see them. */
function saidGaps(
  lines: readonly ChartLine[],
  { gapLabel, longestMs, extent: { from, to }, zone }: Looked,
): readonly string[] {
  if (gapLabel === undefined) return [];
  const bounds = [Date.parse(from) / 1_000, Date.parse(to) / 1_000] as const;
  const said = (seconds: number): string => formatTimestamp(new Date(seconds * 1_000).toISOString(), zone);
  const gaps = gapsIn(timesOf(lines), bounds, longestMs);
  if (gaps.length > maxGapsNamed) return [`${gapLabel} in ${gaps.length} periods`];
  return gaps.map((gap) => `${gapLabel} from ${said(gap.from)} to ${said(gap.to)} ${zoneName(zone)}`);
}
