import { formatBytes, formatMillis, formatNumber } from '../../shared/format.js';

export type Subject = 'cluster' | 'nodes' | 'indices';

/** The figures that people look at first, in this order. */
const usual: Readonly<Record<Subject, readonly string[]>> = {
  cluster: [
    ...['score', 'queries_per_second', 'indexed_per_second', 'unassigned_shards', 'pending_tasks'],
    ...['docs_count', 'store_bytes', 'fs_available_bytes', 'nodes'],
  ],
  nodes: [
    ...[
      'heap_used_percent',
      'fs_used_ratio',
      'process_cpu_percent',
      'queries_per_second',
      'query_latency_ms',
    ],
    ...['indexed_per_second', 'indexing_latency_ms', 'gc_share', 'shards_count', 'fs_available_bytes'],
  ],
  indices: [
    ...['store_bytes', 'docs_count', 'queries_per_second', 'query_latency_ms', 'indexed_per_second'],
    ...['indexing_latency_ms', 'store_growth_bytes_per_second'],
  ],
};

export interface Figures {
  readonly usual: readonly string[];
  readonly others: readonly string[];
}

/** The figures that can be drawn: the usual ones, and every other number in these rows. */
export function figuresOf(subject: Subject, rows: readonly object[]): Figures {
  const numbers = rows.flatMap((row) =>
    Object.entries(row).flatMap(([name, value]) => (typeof value === 'number' ? [name] : [])),
  );
  const others = [...new Set(numbers)].filter((name) => !usual[subject].includes(name)).sort();
  return { usual: usual[subject], others };
}

const words: Readonly<Record<string, string>> = {
  docs: 'documents',
  fs: 'disk',
  cpu: 'CPU',
  gc: 'GC',
  io: 'I/O',
  ms: '',
  bytes: '',
  ratio: '',
  percent: '',
  count: '',
};

/** The title of a figure: `disk used` for `fs_used_ratio`. */
export function titleOf(figure: string): string {
  const text = figure
    .replace('_per_second', ' each second')
    .split(/[_ ]/)
    .map((word) => words[word] ?? word)
    .filter((word) => word !== '')
    .join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export interface Unit {
  readonly write: (value: number) => string;
  readonly isBytes?: boolean;
  readonly bounds?: readonly [number, number];
}

/** The unit in which a figure's values are written, from the end of its name. */
export function unitOf(figure: string): Unit {
  if (figure === 'score') return { write: (value) => formatNumber(value), bounds: [0, 100] };
  if (figure.endsWith('_percent')) return { write: (value) => `${formatNumber(value)} %`, bounds: [0, 100] };
  if (figure.endsWith('_ratio'))
    return { write: (value) => `${formatNumber(value * 100)} %`, bounds: [0, 1] };
  if (figure.endsWith('_share')) return { write: (value) => `${formatNumber(value * 100, 2)} %` };
  if (figure.endsWith('kilobytes')) return { write: (value) => formatBytes(value * 1_024), isBytes: true };
  if (figure.endsWith('bytes')) return { write: formatBytes, isBytes: true };
  if (figure.endsWith('bytes_per_second'))
    return { write: (value) => `${formatBytes(value)}/s`, isBytes: true };
  if (figure.endsWith('_ms')) return { write: formatMillis };
  return { write: (value) => formatNumber(value, 2) };
}
