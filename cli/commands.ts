import type { AddCommand } from './command.js';
import { addAcls } from './commands/acls.js';
import { addAgent } from './commands/agent.js';
import { addAnalysts } from './commands/analysts.js';
import { addAudit } from './commands/audit.js';
import { addDeadLetters } from './commands/dead-letters.js';
import { addDev } from './commands/dev.js';
import { addImport } from './commands/import.js';
import { addDoctor } from './commands/doctor.js';
import { addFind } from './commands/find.js';
import { addKeys } from './commands/keys.js';
import { addLag } from './commands/lag.js';
import { addMigrate } from './commands/migrate.js';
import { addReplay } from './commands/replay.js';
import { addReplays } from './commands/replays.js';
import { addRoles } from './commands/roles.js';
import { addSignInLink } from './commands/sign-in-link.js';
import { addTopics } from './commands/topics.js';
import { addTopology } from './commands/topology.js';

/** Every command, in the order in which `telltale --help` lists them. */
export const commands: readonly AddCommand[] = [
  addDev,
  addRoles,
  addAgent,
  addKeys,
  addSignInLink,
  addMigrate,
  addLag,
  addFind,
  addDoctor,
  addAudit,
  addDeadLetters,
  addImport,
  addReplay,
  addReplays,
  addAnalysts,
  addTopics,
  addAcls,
  addTopology,
];
