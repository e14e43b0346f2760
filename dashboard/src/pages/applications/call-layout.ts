/** The part of a call that the map needs. */
export interface MapCall {
  readonly caller: string;
  readonly called: string;
  readonly calls: number;
  readonly errors: number;
}

interface MapNode {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

export interface MapEdge<Call extends MapCall> {
  readonly call: Call;
  /** An SVG path from the caller's right edge to the called application's left edge. */
  readonly path: string;
  readonly labelX: number;
  readonly labelY: number;
}

export interface CallMap<Call extends MapCall> {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge<Call>[];
}

export const boxWidth = 150;
export const boxHeight = 40;
const gapX = 220;
const gapY = 44;

/**
 * The layout of the call map: callers are left of the applications that they call. A call that closes a cycle
 * goes back to the left. The same calls give the same map, whatever their order.
 */
export function laidOutCalls<Call extends MapCall>(given: readonly Call[]): CallMap<Call> {
  const calls = [...given].sort((one, other) => keyOf(one).localeCompare(keyOf(other)));
  const columns = columnsOf(calls);
  const tallest = Math.max(1, ...columns.map(({ length }) => length));
  const height = tallest * (boxHeight + gapY) - gapY;
  const nodes = new Map<string, MapNode>();
  columns.forEach((names, column) => {
    const top = (height - (names.length * (boxHeight + gapY) - gapY)) / 2;
    names.forEach((name, row) =>
      nodes.set(name, { name, x: column * (boxWidth + gapX), y: top + row * (boxHeight + gapY) }),
    );
  });
  const edges = calls.flatMap((call) => {
    const [from, to] = [nodes.get(call.caller), nodes.get(call.called)];
    return from === undefined || to === undefined ? [] : [edgeOf(call, from, to)];
  });
  const width = columns.length * (boxWidth + gapX) - gapX;
  return { width, height, nodes: [...nodes.values()], edges };
}

const keyOf = ({ caller, called }: MapCall): string => JSON.stringify([caller, called]);

/** Columns of names, by the longest path of calls to them; each column in the order of the callers. */
function columnsOf(calls: readonly MapCall[]): readonly (readonly string[])[] {
  const ranks = ranksOf(calls);
  const columns: string[][] = [];
  for (const [name, rank] of ranks) (columns[rank] ??= []).push(name);
  for (const [rank, names] of columns.entries()) {
    const before = columns[rank - 1] ?? [];
    const meanIndex = (name: string): number => {
      const callers = calls
        .filter(({ called }) => called === name)
        .map(({ caller }) => before.indexOf(caller));
      const known = callers.filter((at) => at >= 0);
      return known.length === 0 ? 0 : known.reduce((sum, at) => sum + at, 0) / known.length;
    };
    names.sort((one, other) => meanIndex(one) - meanIndex(other) || one.localeCompare(other));
  }
  return columns;
}

function ranksOf(calls: readonly MapCall[]): ReadonlyMap<string, number> {
  const callersOf = new Map<string, string[]>();
  for (const { caller, called } of calls) {
    callersOf.set(caller, callersOf.get(caller) ?? []);
    callersOf.set(called, [...(callersOf.get(called) ?? []), caller]);
  }
  const ranks = new Map<string, number>();
  const onTheWay = new Set<string>();
  const rankOf = (name: string): number => {
    const known = ranks.get(name);
    if (known !== undefined) return known;
    onTheWay.add(name);
    const callers = (callersOf.get(name) ?? []).filter((caller) => !onTheWay.has(caller));
    const rank = Math.max(-1, ...callers.map(rankOf)) + 1;
    onTheWay.delete(name);
    ranks.set(name, rank);
    return rank;
  };
  for (const name of callersOf.keys()) rankOf(name);
  return ranks;
}

function edgeOf<Call extends MapCall>(call: Call, from: MapNode, to: MapNode): MapEdge<Call> {
  const [startX, startY] = [from.x + boxWidth, from.y + boxHeight / 2];
  const [endX, endY] = [to.x, to.y + boxHeight / 2];
  const bend = gapX / 2;
  return {
    call,
    path: `M ${startX} ${startY} C ${startX + bend} ${startY}, ${endX - bend} ${endY}, ${endX} ${endY}`,
    // Near the end, where the lines of one caller have diverged.
    labelX: startX + (endX - startX) * 0.66,
    labelY: startY + (endY - startY) * 0.8 - 6,
  };
}
