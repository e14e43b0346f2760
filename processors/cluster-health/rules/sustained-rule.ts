import type { Category, Rule } from './rule.js';
import type { NodeSample } from './situation.js';
import { nodesOf, sustained, unmeasured } from './windows.js';
import { count } from './wording.js';

interface SustainedFigure {
  readonly name: string;
  readonly category: Category;
  readonly what: string;
  readonly figure: (sample: NodeSample) => number | null;
  /** Highest first. */
  readonly levels: readonly { readonly atLeast: number; readonly code: string; readonly points: number }[];
  readonly fewest?: number;
  /** The sentence about the worst node; `lowest` is the smallest figure of its window. */
  readonly reason: (node: string, lowest: number, samples: number) => string;
}

/** A rule about a figure of each node that must stay high over its whole window; the worst node is named. */
export function sustainedRule(declared: SustainedFigure): Rule {
  const { name, category, what, figure, levels, fewest, reason } = declared;
  return {
    name,
    category,
    judge({ nodes }) {
      const { list, notMeasured } = nodesOf(nodes, what);
      const high = list
        .flatMap((node) => {
          const window = sustained(node, figure, fewest);
          if (window === undefined) return [];
          const lowest = Math.min(...window);
          const level = levels.find(({ atLeast }) => lowest >= atLeast);
          return level === undefined ? [] : [{ node: node.name, lowest, samples: window.length, level }];
        })
        .sort((one, other) => other.lowest - one.lowest);
      const [worst] = high;
      const missing = [...notMeasured, ...unmeasured(list, what, figure, fewest)];
      if (worst === undefined) return { deductions: [], notMeasured: missing };
      const others =
        high.length === 1 ? '' : ` So it is on ${count(high.length - 1, 'more node', 'more nodes')}.`;
      return {
        deductions: [
          {
            code: worst.level.code,
            points: worst.level.points,
            reason: `${reason(worst.node, worst.lowest, worst.samples)}${others}`,
          },
        ],
        notMeasured: missing,
      };
    },
  };
}
