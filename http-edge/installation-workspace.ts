/** What belongs to no workspace, or to all of them (dead letters, a table's rows), is for the admins of this one. */
export const installationWorkspace = 'default';
