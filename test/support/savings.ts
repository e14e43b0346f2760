import { catalogue } from '../../topics/catalogue.js';
import { atScale } from './scale.js';

const partitions = 3;
const fewPartitions = catalogue
  .filter((topic) => topic.partitions > partitions)
  .map(({ name }) => `${name}=${partitions}`);

/**
 * Settings of every process that tests start. Three partitions of a topic do what twelve do: each has its log, its
 * producer and its transactions, which cost most of what the pipeline and Kafka do for the few records of a test. To
 * load the scorers into a thread costs more than to score them. None with `TEST_SCALE=full`, nor in measurements.
 */
const settings = atScale<Readonly<Record<string, string>>>(
  { KAFKA_TOPIC_PARTITIONS: fewPartitions.join(','), SCORING_THREADS: '1' },
  {},
);

let inTests = false;

/** Called by the root hooks of mocha. */
export function saveTime(): void {
  inTests = true;
}

export const savings = (): Readonly<Record<string, string>> => (inTests ? settings : {});
