import { readFileSync } from 'node:fs';
import { themeSimilarity } from '../../processors/score-metrics/metrics/semantics/themes.js';
import { readThemes } from '../../processors/score-metrics/semantics/example-files.js';
import type { EmbeddedText, Embedder } from '../../runtime/embedding/embedder.js';
import { allRows, embedColumn, sampledRows, type Row, type Sampling } from './embedded-rows.js';
import { notHere, type Evaluated, type Evaluation } from './evaluation.js';
import { areaUnderCurve, type Scored } from './figures.js';

type Theme = Parameters<typeof themeSimilarity>[1];

async function embedExamples(
  embedder: Embedder,
  examples: readonly string[],
): Promise<readonly Float32Array[]> {
  return (await embedder.embed(examples)).flatMap(({ windows }) => windows.slice(0, 1));
}

async function ownTheme(embedder: Embedder, name: string): Promise<Theme> {
  const theme = readThemes({}).find((each) => each.name === name);
  return { opening: theme?.opening, examples: await embedExamples(embedder, theme?.examples ?? []) };
}

const scored = (texts: readonly EmbeddedText[], theme: Theme, label: (index: number) => boolean): Scored[] =>
  texts.map((text, index) => ({ score: themeSimilarity(text, theme), label: label(index) }));

/** Jailbreaks found in the wild against everyday prompts. */
export async function evaluateJailbreak(
  embedder: Embedder,
  sampling: Sampling = allRows,
): Promise<Evaluated> {
  const attacks = sampledRows('inj_jailbreak_inthewild', sampling);
  const calm = sampledRows('halu_general_human', sampling);
  if (attacks === null || calm === null) return notHere('inj_jailbreak_inthewild or halu_general_human');
  const theme = await ownTheme(embedder, 'jailbreak');
  const rows = [
    ...scored(await embedColumn(embedder, attacks, 'text'), theme, () => true),
    ...scored(await embedColumn(embedder, calm, 'prompt'), theme, () => false),
  ];
  return [
    {
      metric: 'jailbreak_similarity',
      set: 'in the wild against general prompts',
      measure: 'AUC',
      figure: areaUnderCurve(rows),
      reference: 0.957,
      target: { atLeast: 0.97 },
    },
  ];
}

/** Refusals, whole or partial, as people labelled them. */
export async function evaluateRefusal(embedder: Embedder, sampling: Sampling = allRows): Promise<Evaluated> {
  const set = 'refusal_xstest';
  const rows = sampledRows(set, sampling);
  if (rows === null) return notHere(set);
  const refused = (row: Row | undefined): boolean => row?.['final_label'] !== '1_full_compliance';
  const texts = await embedColumn(embedder, rows, 'response');
  const figure = areaUnderCurve(
    scored(texts, await ownTheme(embedder, 'refusal'), (index) => refused(rows[index])),
  );
  return [
    { metric: 'refusal_similarity', set, measure: 'AUC', figure, reference: 0.85, target: { atLeast: 0.9 } },
  ];
}

/** With the reference's own examples: the largest difference from its columns, for texts of one window. */
export async function evaluateThemeParity(embedder: Embedder): Promise<Evaluated> {
  const found: Evaluation[] = [];
  for (const set of ['langkit_reference', 'langkit_reference_edge']) {
    const rows = sampledRows(set, allRows);
    if (rows === null) return notHere(set);
    const texts = await embedColumn(embedder, rows, 'text');
    for (const theme of ['jailbreak', 'refusal']) {
      const examples = await embedExamples(embedder, referenceThemes()[theme] ?? []);
      const differences = texts.flatMap((text, index) =>
        text.windows.length === 1
          ? [Math.abs(themeSimilarity(text, { examples }) - Number(rows[index]?.[`${theme}_similarity`]))]
          : [],
      );
      const figure = differences.reduce((largest, difference) => Math.max(largest, difference), 0);
      const measure = 'largest difference';
      found.push({
        metric: `${theme}_similarity`,
        set,
        measure,
        figure,
        reference: 0,
        target: { atMost: 0.02 },
      });
    }
  }
  return found;
}

function referenceThemes(): Readonly<Record<string, readonly string[]>> {
  const file = '../shared/data/metrics/assets/themes.json';
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>;
}
