import { piiEntities } from '../../processors/score-metrics/metrics/pii/entities.js';
import { referenceAgreement } from './pii-reference.js';
import { f1Of, generalTexts, structuredSpans, sumOf, unitCases, type Share } from './pii-measures.js';

const figure = (value: number): string => value.toFixed(3);

function printSpans(): void {
  const counts = structuredSpans();
  if (counts === null) {
    console.log('pii_presidio_research: skipped, the set is not here');
    return;
  }
  for (const [type, count] of [...counts].sort(([a], [b]) => a.localeCompare(b))) {
    console.log(
      `  ${type.padEnd(18)} F1 ${figure(f1Of(count))} right ${count.right} wrong ${count.wrong} missed ${count.missed}`,
    );
  }
  console.log(
    `span F1, eight structured types: ${figure(f1Of(sumOf(counts.values())))} (Presidio 0.812, resolved 0.888)`,
  );
}

function printShare(title: string, share: Share | null): void {
  if (share === null) {
    console.log(`${title}: skipped, the set is not here`);
    return;
  }
  console.log(`${title}: ${share.right} of ${share.of} (${figure(share.right / share.of)})`);
  if (process.env['EVALUATE_VERBOSE'] !== undefined) for (const line of share.rest) console.log(`  ${line}`);
}

printSpans();
printShare('unit cases, each recognizer alone', unitCases(new Set(piiEntities), 0));
printShare('unit cases, as the API answers', unitCases(new Set(piiEntities), 0.35));
printShare('general texts left alone', generalTexts());
for (const version of ['353', '366'] as const) {
  for (const set of ['langkit_reference', 'langkit_reference_edge']) {
    printShare(`PII_MODE=langkit equals Presidio 2.2.${version} on ${set}`, referenceAgreement(set, version));
  }
}
