import { endCommandProcesses } from './commands.js';
import { stopElasticsearch } from './elasticsearch.js';
import { stopSharedPipeline } from './pipeline.js';
import { seedProperties } from './properties.js';
import { saveTime } from './savings.js';
import { stopTheStack } from './stack.js';

seedProperties();
saveTime();

/** Passed to mocha by `--require`: stops everything that the tests shared. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    endCommandProcesses();
    await stopSharedPipeline();
    await Promise.all([stopTheStack(), stopElasticsearch()]);
  },
};
