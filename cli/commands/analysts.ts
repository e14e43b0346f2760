import { readConfig } from '../../runtime/config.js';
import { workspaceAnalystsXml } from '../../stack/clickhouse/workspace-analysts.js';
import { analystsConfig } from '../analysts-config.js';
import type { AddCommand } from '../command.js';

const anyAddress = ['::/0'];

/** `telltale analysts`: a file for ClickHouse's `users.d` folder, with users who each see one workspace. */
export const addAnalysts: AddCommand = (program) => {
  program
    .command('analysts')
    .description(
      "print ClickHouse's users file for the analysts in CLICKHOUSE_ANALYSTS; passwords are hashed",
    )
    .action(() => {
      const { CLICKHOUSE_ANALYSTS } = readConfig(analystsConfig, process.env);
      process.stdout.write(workspaceAnalystsXml(CLICKHOUSE_ANALYSTS, anyAddress));
    });
};
