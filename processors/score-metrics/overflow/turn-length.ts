/** How long the overflow works on one partition before the others get their turn, in milliseconds of its threads. */
const turnMs = 500;

/** How many jobs of these costs fit into a partition's turn: at least one, however long it takes. */
export function turnLength(costs: readonly number[]): number {
  let ms = 0;
  const over = costs.findIndex((cost) => (ms += cost) > turnMs);
  return over === -1 ? costs.length : Math.max(1, over);
}
