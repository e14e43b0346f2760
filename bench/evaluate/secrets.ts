import { lookAlikes, plantedSecrets, vectors, type Count } from './secrets-measures.js';

function print(title: string, { right, of, rest }: Count): void {
  console.log(`${title}: ${right} of ${of} (${(right / of).toFixed(3)})`);
  if (process.env['EVALUATE_VERBOSE'] !== undefined) for (const line of rest) console.log(`  ${line}`);
}

const rows = vectors();
if (rows === null) console.log('secrets: skipped, the sets are not here');
else {
  for (const [embedding, count] of plantedSecrets(rows))
    print(`planted secrets removed, ${embedding}`, count);
  print('look-alikes that no key names left alone (wanted ≥ 0.9)', lookAlikes(rows));
}
