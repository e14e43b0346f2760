/** Characters of what an entry names: indices, nodes, clusters, ids. */
export const longestName = 512;
/** Of numbers of shards, and of lengths. */
export const largestInt = 2_147_483_647;
