import { piiEntities } from '../../processors/score-metrics/metrics/pii/entities.js';
import { cleanMode } from '../../processors/score-metrics/metrics/pii/recognize.js';
import { notHere, type Evaluated } from './evaluation.js';
import { f1Of, generalTexts, structuredSpans, sumOf, unitCases } from './pii-measures.js';

/** The figures of personal data that have a target; pii.ts prints the counts behind them. */
export function evaluatePii(): readonly Evaluated[] {
  return [structuredTypes(), unitTexts(), falseAlarms()];
}

function structuredTypes(): Evaluated {
  const set = 'pii_presidio_research';
  const counts = structuredSpans();
  if (counts === null) return notHere(set);
  return [
    {
      metric: 'detected_pii',
      set,
      measure: 'span F1, eight structured types',
      figure: f1Of(sumOf(counts.values())),
      reference: 0.812,
      target: { atLeast: 0.93 },
    },
  ];
}

function unitTexts(): Evaluated {
  const set = 'pii_presidio_recognizers';
  const share = unitCases(new Set(piiEntities), cleanMode.threshold);
  if (share === null) return notHere(set);
  return [
    {
      metric: 'detected_pii',
      set,
      measure: 'default unit cases right',
      figure: share.right / share.of,
      reference: null,
      target: { atLeast: 0.97 },
    },
  ];
}

function falseAlarms(): Evaluated {
  const share = generalTexts();
  if (share === null) return notHere('halu_general_human or xstest_prompts');
  return [
    {
      metric: 'detected_pii',
      set: 'halu_general_human and xstest_prompts, the safe ones',
      measure: 'general texts flagged',
      figure: 1 - share.right / share.of,
      reference: 0.027,
      target: { atMost: 0.01 },
    },
  ];
}
