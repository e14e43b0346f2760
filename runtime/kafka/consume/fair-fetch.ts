import SubscriptionState from 'kafkajs/src/consumer/subscriptionState.js';

/**
 * Lets each fetch of kafkajs's consumers ask for the partitions from another one on.
 *
 * kafkajs 2.2.4 names them in the same order in every fetch, and a broker fills its answer in that order up to the
 * answer's size (KIP-74): with a backlog in the first partitions the last ones would bring nothing until it is gone.
 * The beginning is drawn by chance, as a step of any length may pass some partition by for ever.
 */
export function fetchFairly(random: () => number = Math.random): void {
  if (installed) return;
  installed = true;
  const assignedOf = SubscriptionState.prototype.assigned;
  SubscriptionState.prototype.assigned = function (this: SubscriptionState) {
    return assignedOf.call(this).map(({ topic, partitions }) => ({
      topic,
      partitions: turnedTo(Math.floor(random() * partitions.length), partitions),
    }));
  };
}

let installed = false;

const turnedTo = (first: number, partitions: readonly number[]): number[] => [
  ...partitions.slice(first),
  ...partitions.slice(0, first),
];
