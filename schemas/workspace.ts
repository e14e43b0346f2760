/** What a workspace may be called. Whoever has keys, analysts or people of it keeps to this. */
export const workspaceForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
