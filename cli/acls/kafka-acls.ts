import { apiKeys, keyUses } from '../../topics/access.js';
import { agentReports } from '../../topics/agents.js';
import { catalogue } from '../../topics/catalogue.js';
import { dashboardSessions } from '../../topics/dashboard.js';
import { deadLetterDecisions, deadLettersOf } from '../../topics/dead-letters.js';
import { ingestBatches } from '../../topics/ingest.js';
import { maintenanceRuns } from '../../topics/maintenance.js';
import { processReports } from '../../topics/processes.js';
import { replays } from '../../topics/replays.js';
import { scoringRequests, taskStatus } from '../../topics/scoring.js';
import { ownTopicsOfKafka } from '../doctor/kafka-checks.js';
import { liveLanes } from '../replays/live-lanes.js';
import { replayWrites } from '../replays/session.js';
import type { Topic } from '../../topics/topic.js';
import { stageGroups } from '../lag/stage-groups.js';
import { appendGroup, consumedTopics, pipeline, taskStatusGroup, type PipelineStage } from '../pipeline.js';

/** The users of Kafka: the processes, and the commands. */
export const kafkaUsers = [
  'edge',
  'processors',
  'sinks',
  'topics',
  'keys',
  'sign-in-link',
  'lag',
  'find',
  'doctor',
  'dead-letters',
  'replay',
  'maintenance',
] as const;
export type KafkaUser = (typeof kafkaUsers)[number];

type AclOperation = 'Read' | 'Write' | 'Create' | 'Alter' | 'Describe' | 'DescribeConfigs' | 'AlterConfigs';

/** The operations of a user on one resource. */
export interface KafkaAcl {
  readonly resource: 'Topic' | 'Group' | 'TransactionalId';
  readonly name: string;
  /** The name of one resource, or the prefix of several. */
  readonly pattern: 'literal' | 'prefixed';
  readonly operations: readonly AclOperation[];
}

/** The minimal ACLs of a user, from what the pipeline reads and writes. Read and Write include Describe. */
export const aclsOf = (user: KafkaUser): readonly KafkaAcl[] => merged(needs[user]());

const needs: Readonly<Record<KafkaUser, () => readonly KafkaAcl[]>> = {
  edge: () => [
    ...stageTopics('edge'),
    ...whatFindReads(),
    { resource: 'Group', name: taskStatusGroup, pattern: 'literal', operations: ['Read'] },
    { resource: 'Group', name: appendGroup, pattern: 'literal', operations: ['Read'] },
    transactions('telltale-'),
    transactions('telltale.replay.'),
    ...needs['dead-letters'](),
    topic(processReports.name, 'Write'),
    ...allTopics().map((name) => topic(name, 'Describe', 'DescribeConfigs')),
  ],
  processors: () => [
    ...stageTopics('processors'),
    ...membership('processors'),
    ...deadLettersOfRole('processors'),
    topic(processReports.name, 'Write'),
    transactions('telltale.replay.'),
    ...liveLanes.flatMap(({ groupId }): KafkaAcl[] => [
      { resource: 'Group', name: groupId, pattern: 'literal', operations: ['Describe'] },
    ]),
  ],
  sinks: () => [
    ...stageTopics('sinks'),
    ...membership('sinks'),
    ...deadLettersOfRole('sinks'),
    topic(replays.name, 'Read', 'Write'),
    topic(processReports.name, 'Write'),
    transactions('telltale.replay.'),
  ],
  topics: () =>
    allTopics().map((name) => topic(name, 'Create', 'Describe', 'Alter', 'DescribeConfigs', 'AlterConfigs')),
  keys: () => [topic(apiKeys.name, 'Read', 'Write'), topic(keyUses.name, 'Read')],
  'sign-in-link': () => [topic(dashboardSessions.name, 'Write')],
  lag: () => [...lagOfStages(), ...deadLetterTopics('Describe')],
  find: () => whatFindReads(),
  doctor: () => [
    ...lagOfStages(),
    ...deadLetterTopics('Read'),
    ...[deadLetterDecisions, apiKeys, agentReports].map(({ name }) => topic(name, 'Read')),
    ...allTopics().map((name) => topic(name, 'Describe', 'DescribeConfigs')),
    ...ownTopicsOfKafka.map((name) => topic(name, 'Describe')),
  ],
  replay: () => [
    ...lagOfStages(),
    topic(replays.name, 'Read', 'Write'),
    ...replayWrites.map((name) => topic(name, 'Write')),
    ...deadLettersOfRole('sinks'),
    topic(scoringRequests.name, 'Read'),
    transactions('telltale.replay.'),
  ],
  maintenance: () => [
    ...needs.doctor(),
    topic(maintenanceRuns.name, 'Read', 'Write'),
    transactions('telltale.maintenance.'),
  ],
  'dead-letters': () => [
    ...deadLetterTopics('Read'),
    topic(deadLetterDecisions.name, 'Read', 'Write'),
    ...consumedTopics.map(({ name }) => topic(name, 'Write')),
    { ...transactions('telltale.dead-letters'), pattern: 'literal' },
  ],
};

function topic(name: string, ...operations: AclOperation[]): KafkaAcl {
  return { resource: 'Topic', name, pattern: 'literal', operations };
}

function transactions(prefix: string): KafkaAcl {
  return { resource: 'TransactionalId', name: prefix, pattern: 'prefixed', operations: ['Write'] };
}

function stagesOf(role: PipelineStage['role']): readonly PipelineStage[] {
  return pipeline.filter((stage) => stage.role === role);
}

function stageTopics(role: PipelineStage['role']): readonly KafkaAcl[] {
  return stagesOf(role).flatMap(({ reads, writes }) => [
    ...reads.map(({ name }) => topic(name, 'Read')),
    ...writes.map(({ name }) => topic(name, 'Write')),
  ]);
}

/** A processor's transactions are named after its group; a sink needs none. */
function membership(role: 'processors' | 'sinks'): readonly KafkaAcl[] {
  return stageGroups(stagesOf(role)).flatMap(({ groupId }): KafkaAcl[] => [
    { resource: 'Group', name: groupId, pattern: 'literal', operations: ['Read'] },
    ...(role === 'processors' ? [transactions(`${groupId}.`)] : []),
  ]);
}

function deadLettersOfRole(role: 'processors' | 'sinks'): readonly KafkaAcl[] {
  return stageGroups(stagesOf(role)).map((group) => topic(deadLettersOf(group.topic), 'Write'));
}

/** The positions of all groups, and the age of their first unread records. */
function lagOfStages(): readonly KafkaAcl[] {
  const groups = stageGroups([...stagesOf('processors'), ...stagesOf('sinks')]);
  return groups.flatMap(({ groupId, topic: consumed }): KafkaAcl[] => [
    { resource: 'Group', name: groupId, pattern: 'literal', operations: ['Describe'] },
    topic(consumed.name, 'Read'),
  ]);
}

/** Every topic that can hold records with an id. */
function whatFindReads(): readonly KafkaAcl[] {
  return [
    ...lagOfStages(),
    ...deadLetterTopics('Read'),
    ...[taskStatus, ingestBatches].map(({ name }) => topic(name, 'Read')),
  ];
}

function deadLetterTopics(operation: AclOperation): readonly KafkaAcl[] {
  return consumedTopics.map((source) => topic(deadLettersOf(source), operation));
}

function allTopics(): readonly string[] {
  return [
    ...catalogue.map(({ name }: Topic) => name),
    ...consumedTopics.map((source) => deadLettersOf(source)),
  ];
}

/** One entry for each resource. */
function merged(acls: readonly KafkaAcl[]): readonly KafkaAcl[] {
  const byResource = new Map<string, KafkaAcl>();
  for (const acl of acls) {
    const id = `${acl.resource} ${acl.pattern} ${acl.name}`;
    const operations = new Set([...(byResource.get(id)?.operations ?? []), ...acl.operations]);
    byResource.set(id, { ...acl, operations: [...operations].sort() });
  }
  return [...byResource.values()];
}
