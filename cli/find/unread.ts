import type { LogMatch } from '../../runtime/kafka/consume/find-records.js';
import { stageGroups } from '../lag/stage-groups.js';
import { pipeline } from '../pipeline.js';
import type { FindSources } from './sources.js';

/** Says which stage has not read one of these records yet; undefined if all were read. */
export async function unreadBy(
  matches: readonly LogMatch[],
  { groups }: FindSources,
  isStored: boolean,
): Promise<string | undefined> {
  if (isStored || matches.length === 0) return undefined;
  const readers = stageGroups(pipeline).filter(({ topic }) =>
    matches.some((one) => one.topic === topic.name),
  );
  const { groups: lags } = await groups.read(
    readers.map(({ groupId, topic }) => ({ groupId, topic: topic.name })),
    [],
  );
  for (const [index, { stage, topic }] of readers.entries()) {
    const lag = lags[index];
    const unread = matches.find(
      ({ topic: name, partition, record }) =>
        name === topic.name &&
        (lag?.partitions.find((one) => one.partition === partition)?.next ?? Infinity) <= record.offset,
    );
    if (unread === undefined || lag === undefined) continue;
    const at = `${topic.name}/${unread.partition} at offset ${unread.record.offset}`;
    const process =
      lag.state === 'stopped' ? `; it has no running process: start one (\`telltale ${stage.role}\`)` : '';
    return `${stage.name} has not finished with ${at}${process}.`;
  }
  return undefined;
}
