/** The form of a workspace's name, which all code for keys, analysts and people follows. */
export const workspaceForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
