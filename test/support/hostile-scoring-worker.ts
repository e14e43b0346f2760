import { batchWorker } from '../../runtime/pool/batch-worker.js';
import { available, metric } from '../../processors/score-metrics/metric.js';
import { jobScorer } from '../../processors/score-metrics/score-job.js';

/** A metric that harms its worker as the prompt says. */
const hostile = metric({
  key: 'text_metrics',
  version: 'hostile/1',
  essential: ['prompt.lexicon_count'],
  score: ({ prompt: { text } }) => {
    if (text === 'hang') for (;;) Math.random();
    if (text === 'exit') process.exit(1);
    if (text === 'throw') throw new Error('this metric throws');
    return available({ 'prompt.lexicon_count': text.length });
  },
});

/** The harmless other metric of this worker. */
const harmless = metric({
  key: 'text_sentiment',
  version: 'harmless/1',
  essential: ['prompt.sentiment_lexicon'],
  score: () => available({ 'prompt.sentiment_lexicon': 0.5 }),
});

export const scoreBatch = batchWorker(jobScorer([hostile, harmless], () => 1_000_000));
