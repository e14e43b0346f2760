/** What a cluster may call itself: anything else is no cluster of anybody. */
export const isClusterUuid = (text: string): boolean => /^[\w-]{1,64}$/.test(text);
