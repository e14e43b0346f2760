import { Argument } from 'commander';
import { aclArguments } from '../acls/acls-document.js';
import { aclsOf, kafkaUsers, type KafkaUser } from '../acls/kafka-acls.js';
import type { AddCommand } from '../command.js';

/** `telltale acls`: the ACLs that a process or a command needs on a Kafka with an authorizer. */
export const addAcls: AddCommand = (program) => {
  program
    .command('acls')
    .description(
      "print the least Kafka ACLs of a process or a command, as arguments of Kafka's kafka-acls.sh",
    )
    .addArgument(new Argument('<user>', 'who connects').choices(kafkaUsers))
    .requiredOption('--principal <principal>', 'principal to allow, as in User:telltale-edge')
    .action((user: KafkaUser, { principal }: { principal: string }) => {
      for (const acl of aclsOf(user)) console.log(aclArguments(acl, principal));
    });
};
