import type { PipelineStage } from './pipeline.js';

const idOf = (name: string): string => name.replace(/\W/g, '_');

/** The pipeline as a Mermaid flowchart: stages are boxes, topics are the ends of arrows, tables are cylinders. */
export function mermaid(stages: readonly PipelineStage[]): string {
  const topics = new Map(
    stages.flatMap((stage) => [...stage.reads, ...stage.writes]).map((topic) => [topic.name, topic]),
  );
  const lines = ['flowchart LR', '  client([client]) <-->|HTTP| http_edge'];
  for (const stage of stages) lines.push(`  ${idOf(stage.name)}[${stage.name}]`);
  for (const topic of topics.values()) {
    const shape = topic.cleanup.policy === 'delete' ? `[/${topic.name}/]` : `[/"${topic.name} (compacted)"/]`;
    lines.push(`  ${idOf(topic.name)}${shape}`);
  }
  for (const stage of stages) {
    for (const topic of stage.reads) lines.push(`  ${idOf(topic.name)} --> ${idOf(stage.name)}`);
    for (const topic of stage.writes) lines.push(`  ${idOf(stage.name)} --> ${idOf(topic.name)}`);
    if (stage.table !== undefined)
      lines.push(`  ${idOf(stage.name)} --> ${idOf(stage.table)}[(${stage.table})]`);
  }
  return lines.join('\n');
}
