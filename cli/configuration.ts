import { z } from 'zod';
import { agentConfig } from '../agent/config.js';
import { edgeConfig } from '../http-edge/config.js';
import { oidcConfig } from '../http-edge/dashboard/oidc/config.js';
import { shardingConfig } from '../http-edge/status-view/sharded/config.js';
import { statusViewConfig } from '../http-edge/status-view/status-view.js';
import { languageModelScoringConfig } from '../processors/score-metrics/language-model-lane/config.js';
import { piiConfig } from '../processors/score-metrics/pii-config.js';
import { loggingConfig, operationsConfig, secretsOf, type ConfigSection } from '../runtime/config.js';
import { clickhouseConfig, clickhouseReaderConfig } from '../runtime/clickhouse/config.js';
import { appendConfig, kafkaConfig } from '../runtime/kafka/client/config.js';
import { semanticsConfig } from '../processors/score-metrics/semantics/config.js';
import { embeddingConfig } from '../runtime/embedding/config.js';
import { scoringConfig } from '../processors/score-metrics/config.js';
import { languageModelConfig } from '../runtime/language-model/config.js';
import { sinkConfig } from '../runtime/sink-loop.js';
import { analystsConfig } from './analysts-config.js';
import { devConfig } from './dev/settings.js';
import { maintenanceConfig } from './maintenance/config.js';
import { edgeStateConfig, processorsConfig, sinksConfig } from './roles/config.js';

/** All configuration sections, by the processes that read them; the source of docs/configuration.md. */
export const configurationSections: readonly { readonly title: string; readonly section: ConfigSection }[] = [
  { title: 'Every process', section: loggingConfig },
  { title: 'Operations endpoints (every process)', section: operationsConfig },
  { title: 'Kafka and the schema registry', section: kafkaConfig },
  { title: 'Edge', section: edgeConfig },
  { title: 'Signing in by OpenID Connect (edge)', section: oidcConfig },
  { title: 'Local stores (edge)', section: edgeStateConfig },
  { title: 'Task statuses (edge, sinks, `telltale topics`, `telltale doctor`)', section: statusViewConfig },
  { title: 'Task statuses shared by edges (edge)', section: shardingConfig },
  { title: 'Appending to Kafka (edge)', section: appendConfig },
  { title: 'ClickHouse (sinks, edge, `telltale migrate`, `telltale audit`)', section: clickhouseConfig },
  { title: 'Reading from ClickHouse (edge, and processors for replays)', section: clickhouseReaderConfig },
  { title: 'Analysts of one workspace (`telltale analysts`, `npm start`)', section: analystsConfig },
  { title: 'Inserting (sinks)', section: sinkConfig },
  { title: 'Sinks', section: sinksConfig },
  { title: 'Maintenance (sinks)', section: maintenanceConfig },
  { title: 'Processors', section: processorsConfig },
  { title: 'Embeddings (processors)', section: embeddingConfig },
  { title: 'Themes and topics (processors)', section: semanticsConfig },
  { title: 'Scoring (processors)', section: scoringConfig },
  { title: 'Language model (processors)', section: languageModelConfig },
  { title: 'Metrics that need a language model (processors)', section: languageModelScoringConfig },
  { title: 'Personal data (processors)', section: piiConfig },
  { title: 'Agent', section: agentConfig },
  { title: '`npm start` (`telltale dev`)', section: devConfig },
];

interface Property {
  readonly description?: string;
  readonly default?: string | number | boolean;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

function rowsOf(section: ConfigSection): string[] {
  const schema = z.toJSONSchema(section, { io: 'input', unrepresentable: 'any' });
  const secrets = new Set(secretsOf(section));
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { description = '', default: standard } = property as Property;
    const shown = standard === undefined || standard === '' ? '' : `\`${String(standard)}\``;
    const told = secrets.has(name) ? `${description} †` : description;
    return `| \`${name}\` | ${cell(shown)} | ${cell(told)} |`;
  });
}

/** The Markdown of docs/configuration.md. */
export function configurationDocument(): string {
  const chapters = configurationSections.map(({ title, section }) =>
    [`## ${title}`, '', '| variable | default | meaning |', '| --- | --- | --- |', ...rowsOf(section)].join(
      '\n',
    ),
  );
  return [
    '# Configuration',
    'Environment variables, validated when a process starts: all errors are reported at once. An empty value counts as unset. `npm run generate` writes this page from the schemas in the code.',
    'A secret, marked †, can also come from a file: `LLM_API_KEY_FILE=/run/secrets/llm` sets `LLM_API_KEY` to the content of the file, without the end of its last line. It is read when the process starts.',
    ...chapters,
    '',
  ].join('\n\n');
}
