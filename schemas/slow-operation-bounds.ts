/** The most characters of a name in an entry: of an index, a node, a cluster or an id. */
export const longestName = 512;
/** The largest number of a shard, and the largest length. */
export const largestInt = 2_147_483_647;
