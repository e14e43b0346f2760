/** What a key may do. */
export const scopes = ['metrics', 'events', 'agent', 'read', 'admin'] as const;

export type Scope = (typeof scopes)[number];
