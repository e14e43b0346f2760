import { explained, type DeductionCode } from './advice.js';
import { nameOf, presentFirst } from './node-names.js';
import type { Category, Rule } from './rule.js';
import { nodesOf, sustained, unmeasured, type Figure } from './windows.js';
import { named } from './wording.js';

/** The nodes that a sentence is about. */
interface Affected {
  /** `node-1`, or `3 nodes`. */
  readonly nodes: string;
  readonly isOne: boolean;
  /** The smallest figure in the windows of all of them. */
  readonly lowest: number;
  /** The length of the shortest of these windows. */
  readonly samples: number;
}

interface SustainedFigure {
  readonly name: string;
  readonly category: Category;
  readonly what: string;
  readonly figure: Figure;
  /** Highest first. */
  readonly levels: readonly {
    readonly atLeast: number;
    readonly code: DeductionCode;
    readonly points: number;
  }[];
  readonly fewest?: number;
  /** The sentence, without its full stop: if there are several nodes, their names follow. */
  readonly sentence: (affected: Affected) => string;
  /** A node's own figure, in brackets after its name; absent: the sentence says everything. */
  readonly shown?: (lowest: number) => string;
}

/** A rule about a figure of each node that must stay high over its whole window; the worst node decides. */
export function sustainedRule(declared: SustainedFigure): Rule {
  const { name, category, what, figure, levels, fewest } = declared;
  return {
    name,
    category,
    evaluate({ nodes }) {
      const { list, notMeasured } = nodesOf(nodes, what);
      const high = list
        .flatMap((node) => {
          const window = sustained(node, figure, fewest);
          if (window === undefined) return [];
          const lowest = Math.min(...window);
          const level = levels.find(({ atLeast }) => lowest >= atLeast);
          return level === undefined ? [] : [{ ...node, lowest, window: window.length, level }];
        })
        .sort((one, other) => other.lowest - one.lowest);
      const missing = [...notMeasured, ...unmeasured(list, what, figure, fewest)];
      const [worst] = high;
      if (worst === undefined) return { deductions: [], notMeasured: missing };
      const { code, points } = worst.level;
      const reason = explained(code, foundOn(high.toSorted(presentFirst), declared));
      return { deductions: [{ code, points, reason }], notMeasured: missing };
    },
  };
}

type High = Parameters<typeof nameOf>[0] & { readonly lowest: number; readonly window: number };

function foundOn(high: readonly High[], { sentence, shown }: SustainedFigure): string {
  const names = high.map(nameOf);
  const isOne = names.length === 1;
  const text = sentence({
    nodes: isOne ? named(names) : `${names.length} nodes`,
    isOne,
    lowest: Math.min(...high.map(({ lowest }) => lowest)),
    samples: Math.min(...high.map(({ window }) => window)),
  });
  if (isOne) return `${text}.`;
  const figures = high.map(
    (node) => `${nameOf(node)}${shown === undefined ? '' : ` (${shown(node.lowest)})`}`,
  );
  return `${text}: ${named(figures)}.`;
}
