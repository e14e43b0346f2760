import { evaluateEmbeddings } from './embeddings.js';
import { lineOf } from './evaluation.js';

for (const evaluated of await evaluateEmbeddings()) {
  if ('skipped' in evaluated) console.log(`skipped: ${evaluated.skipped}`);
  else for (const evaluation of evaluated) console.log(lineOf(evaluation));
}
