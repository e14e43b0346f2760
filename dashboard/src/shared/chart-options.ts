import uPlot from 'uplot';
import type { Zone } from './format.js';
import { gapsIn, knownTimes, loneIndices, unfinishedPart, type Extent, type Series } from './series.js';

export interface ChartLine {
  readonly name: string;
  readonly series: Series;
  /** Whether it belongs to another period: then it says nothing about gaps in this one. */
  readonly isOfOther: boolean;
}

/** The times with data in the period that is drawn. */
export const timesOf = (lines: readonly ChartLine[]): readonly number[] =>
  knownTimes(lines.filter(({ isOfOther }) => !isOfOther).map(({ series }) => series));

/** What a chart draws. */
export interface ChartShape {
  readonly lines: readonly ChartLine[];
  readonly longestMs: number;
  readonly stepMs: number;
  readonly extent: Extent;
  readonly zone: Zone;
  readonly height: number;
  readonly gapLabel: string | undefined;
  readonly bounds: readonly [number, number] | undefined;
  readonly marks: readonly { readonly name: string; readonly value: number }[];
  readonly write: (value: number) => string;
  /** If set, ticks are multiples of powers of two, because powers of ten are not round numbers of bytes. */
  readonly isBytes: boolean;
  readonly choose: (from: number, to: number) => void;
}

/** They distinguish lines for people who don't see the colours. */
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2]] as const;
const day = 86_400;
/** Short, because neighbouring ticks can both have one. */
const underTick = '\n{MM}-{DD}';
/**
 * For ticks at least this many seconds apart: their text, and what is added when the year or the day changes.
 */
const timeTexts: (string | number | null)[][] = [
  [day, '{YYYY}-{MM}-{DD}', null, null, null, null, null, null, 1],
  [60, '{HH}:{mm}', underTick, null, underTick, null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', underTick, null, underTick, null, null, null, 1],
];
const byteSteps: number[] = Array.from({ length: 60 }, (_, power) => 2 ** power);
const font = '12px system-ui, sans-serif';

export function chartOptions(element: HTMLElement, shape: ChartShape): uPlot.Options {
  const { lines, zone, height, bounds, marks, write } = shape;
  const [from, to] = secondsOf(shape.extent);
  const axis = {
    font,
    stroke: () => colourOf(element, 'muted'),
    grid: { stroke: () => colourOf(element, 'line'), width: 1 },
    ticks: { stroke: () => colourOf(element, 'line'), width: 1 },
  };
  return {
    ...{ width: element.clientWidth, height },
    ...(zone === 'utc' && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC') }),
    scales: {
      x: { range: () => [from, to] },
      y: {
        range: (_, lowest, highest) =>
          bounds === undefined
            ? yRange([lowest, highest], marks)
            : // Leaves room to draw a line along the bound in full width.
              [bounds[0], bounds[1] + (bounds[1] - bounds[0]) / 50],
      },
    },
    legend: { markers: { width: 0, fill: (_, index) => strokeOf(index - 1) } },
    cursor: { drag: { x: true, y: false, setScale: false } },
    axes: [
      { ...axis, values: timeTexts },
      {
        ...axis,
        ...(shape.isBytes && { incrs: byteSteps }),
        values: (_, splits) => splits.map(write),
        size: (_, values: readonly string[] | null) =>
          20 + 7 * Math.max(3, ...(values ?? []).map((text) => text.length)),
      },
    ],
    series: [
      { label: 'Time', value: '{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}' },
      ...lines.map(({ name, series }, index): uPlot.Series => ({
        label: name,
        stroke: () => colourOf(element, `series-${(index % dashes.length) + 1}`),
        width: 2,
        dash: [...(dashes[index % dashes.length] ?? [])],
        spanGaps: false,
        paths: pathsWith(shape),
        // A single sample has no line, so it is drawn as a point. If there are few samples, each is.
        points: {
          show: true,
          size: 6,
          filter: ({ data }) =>
            series.times.length <= 60 ? null : loneIndices(Array.from(data[index + 1] ?? [])),
        },
        value: (_, value) => (typeof value === 'number' ? write(value) : '–'),
      })),
    ],
    hooks: {
      drawClear: [(chart) => drawGaps(chart, element, shape)],
      draw: [(chart) => nameGaps(chart, element, shape), (chart) => drawMarks(chart, element, marks, write)],
      setLegend: [(chart) => (element.dataset['pointed'] = String(typeof chart.cursor.idx === 'number'))],
      setSelect: [(chart) => choosePart(chart, shape.choose)],
    },
  };
}

const secondsOf = ({ from, to }: Extent): readonly [number, number] => [
  Date.parse(from) / 1_000,
  Date.parse(to) / 1_000,
];

const dashPixels = 4;

/** A line whose last part is dashed if it leads to a sample that can still change. */
function pathsWith({ stepMs, extent }: ChartShape): uPlot.Series.PathBuilder {
  const linear = uPlot.paths.linear?.();
  return (chart, index, begin, end) => {
    const [times, values] = [Array.from(chart.data[0]), Array.from(chart.data[index] ?? [])];
    const part = unfinishedPart(times, values, stepMs, extent);
    const paths = linear?.(chart, index, begin, part?.[0] ?? end) ?? null;
    if (part === undefined || !(paths?.stroke instanceof Path2D)) return paths;
    const [from, to] = part.map((at) => [
      chart.valToPos(times[at] ?? 0, 'x', true),
      chart.valToPos(values[at] ?? 0, 'y', true),
    ]) as [[number, number], [number, number]];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const at = (pixels: number): [number, number] => {
      const share = Math.min(1, pixels / length);
      return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
    };
    const dash = dashPixels * devicePixelRatio;
    for (let done = dash; done < length; done += 2 * dash) {
      paths.stroke.moveTo(...at(done));
      paths.stroke.lineTo(...at(done + dash));
    }
    return paths;
  };
}

/** A line's colour and dashes as a background of its mark in the legend. */
function strokeOf(index: number): string {
  const colour = `var(--series-${(index % dashes.length) + 1})`;
  let at = 0;
  const stops = (dashes[index % dashes.length] ?? []).map((length, part) => {
    const stop = `${part % 2 === 0 ? colour : 'transparent'} ${at}px ${at + length}px`;
    at += length;
    return stop;
  });
  const drawn = stops.length === 0 ? [colour, colour] : stops;
  return `repeating-linear-gradient(to right, ${drawn.join(', ')}) center / 100% 3px no-repeat`;
}

/** From 0, or lower if there are negative values, to slightly above the highest value or mark. */
function yRange(
  [lowest, highest]: readonly [number | null, number | null],
  marks: ChartShape['marks'],
): uPlot.Range.MinMax {
  const top = Math.max(highest ?? 0, ...marks.map(({ value }) => value));
  const bottom = Math.min(0, lowest ?? 0);
  return [bottom * 1.05, top === bottom ? bottom + 1 : top * 1.05];
}

/** A canvas can't use CSS custom properties, so the browser resolves them on a temporary element. */
function colourOf(element: HTMLElement, token: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(--${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

interface DrawnGap {
  readonly left: number;
  readonly width: number;
}

/** The gaps in the data, in canvas pixels. */
function gapsOf(chart: uPlot, { lines, extent, longestMs }: ChartShape): readonly DrawnGap[] {
  return gapsIn(timesOf(lines), secondsOf(extent), longestMs).map((gap) => {
    const left = chart.valToPos(gap.from, 'x', true);
    return { left, width: chart.valToPos(gap.to, 'x', true) - left };
  });
}

/** Shades the gaps behind the grid. */
function drawGaps(chart: uPlot, element: HTMLElement, shape: ChartShape): void {
  if (shape.gapLabel === undefined) return;
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.fillStyle = colourOf(element, 'sunken');
  for (const { left, width } of gapsOf(chart, shape)) ctx.fillRect(left, bbox.top, width, bbox.height);
  ctx.restore();
}

/** Prepares to write on the canvas; returns the number of its pixels per page pixel. */
function beginText({ ctx }: uPlot, textAlign: CanvasTextAlign): number {
  const scale = devicePixelRatio;
  ctx.font = font.replace('12px', `${12 * scale}px`);
  ctx.textAlign = textAlign;
  ctx.textBaseline = 'middle';
  return scale;
}

/** Writes the label into each gap that has room for it, over the lines of the grid. */
function nameGaps(chart: uPlot, element: HTMLElement, shape: ChartShape): void {
  const { gapLabel } = shape;
  if (gapLabel === undefined) return;
  const { ctx, bbox } = chart;
  ctx.save();
  const scale = beginText(chart, 'center');
  const taken = ctx.measureText(gapLabel).width + 8 * scale;
  const [background, colour] = [colourOf(element, 'sunken'), colourOf(element, 'muted')];
  for (const { left, width } of gapsOf(chart, shape)) {
    if (taken + 8 * scale >= width) continue;
    const [x, y] = [left + width / 2, bbox.top + bbox.height / 2];
    ctx.fillStyle = background;
    ctx.fillRect(x - taken / 2, y - 8 * scale, taken, 16 * scale);
    ctx.fillStyle = colour;
    ctx.fillText(gapLabel, x, y);
  }
  ctx.restore();
}

function drawMarks(
  chart: uPlot,
  element: HTMLElement,
  marks: ChartShape['marks'],
  write: (value: number) => string,
): void {
  const { ctx, bbox } = chart;
  ctx.save();
  const scale = beginText(chart, 'right');
  ctx.setLineDash([4 * scale, 4 * scale]);
  ctx.lineWidth = scale;
  ctx.strokeStyle = colourOf(element, 'warn');
  const lines = marks.map(({ name, value }) => ({
    y: chart.valToPos(value, 'y', true),
    text: `${name}: ${write(value)}`,
  }));
  for (const { y } of lines) {
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  const [background, colour] = [colourOf(element, 'surface'), colourOf(element, 'warn')];
  let last = { y: Number.NaN, left: 0 };
  for (const { y, text } of lines) {
    // Names that would overlap are put side by side.
    const isBeside = Math.abs(y - last.y) < 16 * scale;
    const right = isBeside ? last.left - 16 * scale : bbox.left + bbox.width - 4 * scale;
    const { width } = ctx.measureText(text);
    last = { y, left: right - width };
    // If there is no room for a name, only the caption has it.
    if (last.left <= bbox.left) continue;
    ctx.fillStyle = background;
    ctx.fillRect(last.left - 4 * scale, y - 8 * scale, width + 8 * scale, 16 * scale);
    ctx.fillStyle = colour;
    ctx.fillText(text, right, y);
  }
  ctx.restore();
}

function choosePart(chart: uPlot, choose: ChartShape['choose']): void {
  const { left, width } = chart.select;
  if (width < 4) return;
  const [from, to] = [chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x')];
  chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  choose(from, to);
}
