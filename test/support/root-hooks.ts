import { stopElasticsearch } from './elasticsearch.js';
import { seedProperties } from './properties.js';
import { stopTheStack } from './stack.js';

seedProperties();

/** Given to mocha by `--require`: what the tests shared ends with the run. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    await Promise.all([stopTheStack(), stopElasticsearch()]);
  },
};
