import type { Evaluation } from './evaluation.js';

/**
 * The figures as an SVG: one bar each, with the reference's figure as a diamond and the required one as a
 * line. A function of the figures alone, so that the file changes only if a figure does. `higher` and `lower`
 * are drawn separately, each on its own scale.
 */
export function evaluationPicture(evaluations: readonly Evaluation[]): string {
  const higher = evaluations.filter(({ target }) => 'atLeast' in target);
  const lower = evaluations.filter(({ target }) => 'atMost' in target);
  const top = panel(higher, { title: 'Higher is better', from: 0.5, to: 1, y: 62 });
  const bottom = panel(lower, { title: 'Lower is better', from: 0, to: 0.03, y: top.end + 34 });
  const height = bottom.end + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Figures of the scorers beside the reference's" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    legend(),
    ...top.lines,
    ...bottom.lines,
    '</svg>',
    '',
  ].join('\n');
}

const width = 900;
const left = 470;
const right = 820;
const rowHeight = 22;
const ours = '#2f6fb7';
const missed = '#c0392b';
const ink = '#222222';
const grid = '#d9d9d9';

interface PanelOptions {
  readonly title: string;
  /** The scale's ends; values beyond are drawn at the end. */
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

function panel(
  evaluations: readonly Evaluation[],
  { title, from, to, y }: PanelOptions,
): { readonly lines: readonly string[]; readonly end: number } {
  const at = (value: number): string => {
    const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
    return (left + share * (right - left)).toFixed(1);
  };
  const end = y + 12 + evaluations.length * rowHeight;
  const ticks = Array.from({ length: 6 }, (_, step) => from + (step * (to - from)) / 5);
  return {
    end,
    lines: [
      `<text x="16" y="${y}" font-weight="bold" fill="${ink}">${escaped(title)}</text>`,
      ...ticks.map(
        (tick) =>
          `<path d="M${at(tick)} ${y + 6}V${end}" stroke="${grid}"/><text x="${at(tick)}" y="${y}" text-anchor="middle" fill="#666666" font-size="10">${label(tick)}</text>`,
      ),
      ...evaluations.flatMap((evaluation, index) => row(evaluation, y + 12 + index * rowHeight, at)),
    ],
  };
}

function row(
  { metric, set, measure, figure, reference, target }: Evaluation,
  y: number,
  at: (value: number) => string,
) {
  const [wanted, met] =
    'atLeast' in target
      ? [target.atLeast, figure >= target.atLeast]
      : [target.atMost, figure <= target.atMost];
  const middle = y + 9;
  const diamond =
    reference === null
      ? []
      : [`<path d="M${at(reference)} ${middle - 6}l5 6l-5 6l-5 -6z" fill="#ffffff" stroke="${ink}"/>`];
  return [
    `<text x="16" y="${y + 13}" fill="${ink}">${escaped(`${metric} · ${measure}`)}<tspan fill="#666666" font-size="10"> ${escaped(shortened(set))}</tspan></text>`,
    `<rect x="${left}" y="${y + 2}" width="${(Number(at(figure)) - left).toFixed(1)}" height="14" fill="${met ? ours : missed}"/>`,
    `<path d="M${at(wanted)} ${y}v18" stroke="${ink}" stroke-width="2"/>`,
    ...diamond,
    `<text x="${right + 14}" y="${y + 13}" fill="${met ? ink : missed}">${label(figure)}</text>`,
  ];
}

function legend(): string {
  return [
    `<text x="16" y="26" font-size="15" font-weight="bold" fill="${ink}">How good the scorers are</text>`,
    `<rect x="${left}" y="16" width="22" height="12" fill="${ours}"/><text x="${left + 28}" y="26" fill="${ink}">ours</text>`,
    `<path d="M${left + 86} 16l5 6l-5 6l-5 -6z" fill="#ffffff" stroke="${ink}"/><text x="${left + 96}" y="26" fill="${ink}">the reference</text>`,
    `<path d="M${left + 190} 14v16" stroke="${ink}" stroke-width="2"/><text x="${left + 198}" y="26" fill="${ink}">wanted</text>`,
  ].join('');
}

const longestSet = 38;

function shortened(set: string): string {
  return set.length <= longestSet ? set : `${set.slice(0, longestSet - 1)}…`;
}

const label = (value: number): string => String(Number(value.toFixed(3)));

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
