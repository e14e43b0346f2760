/** The most characters of names in an entry: of indices, nodes, clusters, ids. */
export const longestName = 512;
/** The largest number of a shard, and the largest length. */
export const largestInt = 2_147_483_647;
