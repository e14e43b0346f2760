import { TelltaleError } from '../../runtime/errors.js';
import { readSchema, type Registry } from '../../runtime/registry/registry.js';
import { subjectOf, type Topic } from '../../topics/topic.js';
import { good, named, problem, type Check } from './check.js';

/** Checks that the registry has the schema with which this version writes each topic. */
export function registryCheck(topics: readonly Topic[], registry: Pick<Registry, 'idOf'>): Check {
  return {
    name: 'schemas',
    async look() {
      const missing: string[] = [];
      for (const topic of topics) {
        try {
          await registry.idOf(subjectOf(topic), readSchema(topic.value.schema));
        } catch (error) {
          if (!(error instanceof TelltaleError)) throw error;
          if (error.code !== 'SCHEMA_MISSING')
            return problem(
              error.message,
              'Start the registry. Running processes have their schemas and continue; no process can start.',
            );
          missing.push(subjectOf(topic));
        }
      }
      return missing.length > 0
        ? problem(`The registry lacks the schemas of ${named(missing)}.`, 'Run `telltale topics apply`.')
        : good(`The registry has the schemas of all ${topics.length} topics.`);
    },
  };
}
