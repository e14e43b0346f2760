import type { Command } from 'commander';
import type { AddCommand } from './command.js';

/** Loads a command's file only when it is needed: loading all of them takes half a second. */
type LoadCommand = () => Promise<AddCommand>;

const roles: LoadCommand = async () => (await import('./commands/roles.js')).addRoles;

/** The file of each command, in the order in which `telltale --help` lists them. */
const files = new Map<string, LoadCommand>([
  ['dev', async () => (await import('./commands/dev.js')).addDev],
  ['edge', roles],
  ['processors', roles],
  ['sinks', roles],
  ['agent', async () => (await import('./commands/agent.js')).addAgent],
  ['keys', async () => (await import('./commands/keys.js')).addKeys],
  ['sign-in-link', async () => (await import('./commands/sign-in-link.js')).addSignInLink],
  ['migrate', async () => (await import('./commands/migrate.js')).addMigrate],
  ['lag', async () => (await import('./commands/lag.js')).addLag],
  ['find', async () => (await import('./commands/find.js')).addFind],
  ['doctor', async () => (await import('./commands/doctor.js')).addDoctor],
  ['audit', async () => (await import('./commands/audit.js')).addAudit],
  ['dead-letters', async () => (await import('./commands/dead-letters.js')).addDeadLetters],
  ['import', async () => (await import('./commands/import.js')).addImport],
  ['replay', async () => (await import('./commands/replay.js')).addReplay],
  ['replays', async () => (await import('./commands/replays.js')).addReplays],
  ['analysts', async () => (await import('./commands/analysts.js')).addAnalysts],
  ['topics', async () => (await import('./commands/topics.js')).addTopics],
  ['acls', async () => (await import('./commands/acls.js')).addAcls],
  ['topology', async () => (await import('./commands/topology.js')).addTopology],
]);

/** Adds the command with this name. If there is none, as in `telltale --help`, adds all of them. */
export async function addCommands(program: Command, name = ''): Promise<void> {
  const asked = files.get(name);
  const loads = asked === undefined ? new Set(files.values()) : [asked];
  for (const add of await Promise.all([...loads].map((load) => load()))) add(program);
}
