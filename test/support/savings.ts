import { catalogue } from '../../topics/catalogue.js';
import { atScale } from './scale.js';

const partitions = 3;
const fewPartitions = catalogue
  .filter((topic) => topic.partitions > partitions)
  .map(({ name }) => `${name}=${partitions}`);

/**
 * Settings of every process that tests start. A topic works the same with three partitions as with twelve,
 * and for a test's few records most of the cost is each partition's log, producer and transactions. Loading
 * the scorers into a thread costs more than scoring. Not used with `TEST_SCALE=full`, nor in measurements.
 */
const settings = atScale<Readonly<Record<string, string>>>(
  { KAFKA_TOPIC_PARTITIONS: fewPartitions.join(','), SCORING_THREADS: '1' },
  {},
);

let inTests = false;

/** Called by mocha's root hooks. */
export function saveTime(): void {
  inTests = true;
}

export const savings = (): Readonly<Record<string, string>> => (inTests ? settings : {});
