/** Whether a text has the form of a cluster's UUID. */
export const isClusterUuid = (text: string): boolean => /^[\w-]{1,64}$/.test(text);
