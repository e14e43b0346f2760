import type { Answer } from '../../api/client.js';
import { formatCount, formatNumber } from '../../shared/format.js';

export type Span = Answer<'/api/v1/traces/{trace_id}'>['spans'][number];

/** A row of the waterfall: spans are below their parents, in the order of their start. */
export interface TreeRow {
  readonly span: Span;
  readonly depth: number;
  /** How many spans are below it, at any depth. */
  readonly below: number;
  /** Whether it names a parent that is missing. */
  readonly isOrphan: boolean;
}

/**
 * The spans of a trace as a tree, in rows. A span without a parent, or whose parent is missing, is a root. So
 * is the first of spans that name each other as parents. Not recursive: traces can be thousands deep.
 */
export function treeOf(spans: readonly Span[]): readonly TreeRow[] {
  const byId = new Map(spans.map((span) => [span.span_id, span]));
  const children = new Map<string, Span[]>();
  const roots: Span[] = [];
  for (const span of spans) {
    if (!byId.has(span.parent_span_id) || span.parent_span_id === span.span_id) roots.push(span);
    else {
      const siblings = children.get(span.parent_span_id);
      if (siblings === undefined) children.set(span.parent_span_id, [span]);
      else siblings.push(span);
    }
  }
  const rows: { span: Span; depth: number; below: number; isOrphan: boolean }[] = [];
  const seen = new Set<string>();
  const visit = (root: Span): void => {
    const waiting = [{ span: root, depth: 0 }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { span, depth } = next;
      if (seen.has(span.span_id)) continue;
      seen.add(span.span_id);
      const isOrphan = depth === 0 && span.parent_span_id !== '';
      rows.push({ span, depth, below: 0, isOrphan });
      for (const child of (children.get(span.span_id) ?? []).toReversed())
        waiting.push({ span: child, depth: depth + 1 });
    }
  };
  roots.forEach(visit);
  spans.filter(({ span_id: id }) => !seen.has(id)).forEach(visit);
  countBelow(rows);
  return rows;
}

/** The rows below a row are the deeper ones after it, up to the first that is not deeper. */
function countBelow(rows: readonly { depth: number; below: number }[]): void {
  const open: number[] = [];
  const close = (depth: number, end: number): void => {
    for (let at = open.at(-1); at !== undefined && (rows[at]?.depth ?? 0) >= depth; at = open.at(-1)) {
      open.pop();
      const row = rows[at];
      if (row !== undefined) row.below = end - at - 1;
    }
  };
  rows.forEach(({ depth }, index) => {
    close(depth, index);
    open.push(index);
  });
  close(0, rows.length);
}

/** The parent's row; undefined for a root. */
export function parentAt(rows: readonly TreeRow[], index: number): TreeRow | undefined {
  const depth = rows[index]?.depth ?? 0;
  return rows.slice(0, index).findLast((row) => row.depth < depth);
}

/** The visible rows while everything below these spans is folded. */
export function unfolded(rows: readonly TreeRow[], folded: ReadonlySet<string>): readonly TreeRow[] {
  if (folded.size === 0) return rows;
  const seen: TreeRow[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    if (row === undefined) break;
    seen.push(row);
    if (folded.has(row.span.span_id)) index += row.below;
  }
  return seen;
}

/** How many spans there are, of how many services, and how many failed. */
export function extentOf(spans: readonly Span[], isCut: boolean): string {
  const services = new Set(spans.map(({ service }) => service).filter((name) => name !== ''));
  const failed = spans.filter(({ status }) => status === 'error').length;
  const where = services.size === 0 ? '' : ` in ${formatCount(services.size, 'service')}`;
  return `${isCut ? 'the first ' : ''}${formatCount(spans.length, 'span')}${where}, ${formatNumber(failed, 0)} with an error`;
}

/** From the start of the first span to the end of the last, in milliseconds. */
export const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((end, { offset_ms: offset, duration_ms: ms }) => Math.max(end, offset + ms), 0);
