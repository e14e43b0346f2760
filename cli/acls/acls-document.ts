import { aclsOf, kafkaUsers, type KafkaAcl, type KafkaUser } from './kafka-acls.js';

const whoIs: Readonly<Record<KafkaUser, string>> = {
  edge: 'The edge.',
  processors: 'The processors.',
  sinks: 'The sinks.',
  topics: '`telltale topics plan|apply`; `plan` needs only Describe and DescribeConfigs.',
  keys: '`telltale keys`; `list` needs only Read.',
  'sign-in-link': '`telltale sign-in-link`.',
  lag: '`telltale lag`.',
  find: '`telltale find`.',
  doctor: '`telltale doctor`.',
  replay: '`telltale import`, `replay`, `replays` and `audit --repair`.',
  maintenance: 'What the sinks also need if `MAINTENANCE_SCHEDULE` is set.',
  'dead-letters': '`telltale dead-letters`; `list` and `show` need only Read.',
};

/** The arguments with which Kafka's own tool (`kafka-acls`) grants this. */
export function aclArguments(acl: KafkaAcl, principal: string): string {
  const option = { Topic: '--topic', Group: '--group', TransactionalId: '--transactional-id' }[acl.resource];
  const operations = acl.operations.map((operation) => `--operation ${operation}`).join(' ');
  return `--add --allow-principal ${principal} ${operations} ${option} ${acl.name} --resource-pattern-type ${acl.pattern}`;
}

/** The Markdown of docs/kafka-acls.md. */
export function aclsDocument(): string {
  return [
    '# Kafka ACLs',
    'The minimum permissions of each process and each command on a Kafka with an authorizer. `telltale acls <user> --principal User:<name>` prints them as arguments of `kafka-acls.sh`, one line each. `npm run generate` writes this page from `cli/acls/kafka-acls.ts`, and [a test](../test/long/secured/least-acls.test.ts) runs the processes and the commands with exactly these.',
    'Read and Write include Describe. A name that ends in `*` is a prefix. Brokers before 2.8 also require IdempotentWrite on the cluster for every writer.',
    'If Kafka has left a transaction without an end marker, a processor or an edge can end it only with Read on the topics that it writes and on `__consumer_offsets`. Without that it still starts, and logs that it could not check.',
    ...kafkaUsers.map((user) => [`## ${user}`, '', whoIs[user], '', ...tableOf(aclsOf(user))].join('\n')),
    '',
  ].join('\n\n');
}

function tableOf(acls: readonly KafkaAcl[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { resource, operations, name, pattern } of acls) {
    const key = `${resource} | ${operations.join(', ')}`;
    groups.set(key, [...(groups.get(key) ?? []), `\`${name}${pattern === 'prefixed' ? '*' : ''}\``]);
  }
  const rows = [...groups].map(([key, names]) => `| ${key} | ${names.join(', ')} |`);
  return ['| resource | operations | names |', '| --- | --- | --- |', ...rows];
}
