/** Only admins of this workspace see what belongs to none or to all (dead letters, a table's rows). */
export const installationWorkspace = 'default';
