import { processorGroup, sinkGroup } from '../../runtime/group-ids.js';
import type { Topic } from '../../topics/topic.js';
import type { PipelineStage } from '../pipeline.js';

/** A stage that reads a topic in a consumer group. */
export interface StageGroup {
  readonly stage: PipelineStage;
  readonly groupId: string;
  readonly topic: Topic;
}

/** The consumer group of each stage that has one: the edge and the commands read without a group. */
export function stageGroups(stages: readonly PipelineStage[]): readonly StageGroup[] {
  return stages.flatMap((stage) => {
    const [topic] = stage.reads;
    if ((stage.role !== 'processors' && stage.role !== 'sinks') || topic === undefined) return [];
    const name = stage.name.slice(stage.name.indexOf('/') + 1);
    return [{ stage, topic, groupId: (stage.role === 'sinks' ? sinkGroup : processorGroup)({ name }) }];
  });
}
