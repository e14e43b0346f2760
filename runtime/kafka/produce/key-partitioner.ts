import { Partitioners, type ICustomPartitioner } from 'kafkajs';
import { partitionOf } from '../protocol/partitioning.js';

/**
 * The partitions of the Java client, as kafkajs's default partitioner gives them, but in 32-bit arithmetic: kafkajs
 * hashes with BigInt, which shows in a profile of the append path.
 */
export const keyPartitioner: ICustomPartitioner = () => {
  const standard = Partitioners.DefaultPartitioner();
  return (args) => {
    const { key, partition } = args.message;
    if (key === null || key === undefined || partition !== undefined) return standard(args);
    return partitionOf(key, args.partitionMetadata.length);
  };
};
