import type { Stage } from '../../shared/stage-status.js';

/** A kind of data, and the stages that it goes through, column by column. */
export interface Flow {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly stages: readonly Stage[] }[];
  /** Where it is stored. */
  readonly end: string;
}

const flows: readonly { readonly name: string; readonly topics: RegExp }[] = [
  { name: 'Prompts', topics: /^scoring\./ },
  { name: 'Events', topics: /^ingest\.events/ },
  { name: 'Traces', topics: /^ingest\.spans/ },
  { name: 'Search clusters', topics: /^clusters\./ },
];

/** The stages in the flows of the architecture, by what they read. Stages without a flow are drawn too. */
export function flowsOf(stages: readonly Stage[]): readonly Flow[] {
  const named = flows.map(({ name, topics }) =>
    flowOf(
      name,
      stages.filter(({ topic }) => topics.test(topic)),
    ),
  );
  const others = stages.filter(({ topic }) => !flows.some(({ topics }) => topics.test(topic)));
  return [...named, flowOf('Others', others)].filter(({ columns }) => columns.length > 0);
}

function flowOf(name: string, stages: readonly Stage[]): Flow {
  const isSink = ({ stage }: Stage): boolean => stage.startsWith('sinks/');
  const columns = [
    { name: 'Processors', stages: stages.filter((stage) => !isSink(stage)) },
    { name: 'Sinks', stages: stages.filter(isSink) },
  ].filter((column) => column.stages.length > 0);
  return { name, columns, end: 'ClickHouse' };
}
