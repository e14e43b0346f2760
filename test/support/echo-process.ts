import { createHealth } from '../../runtime/health.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';
import { startProcessor } from '../../runtime/processor-loop.js';
import { accessTo } from './kafka.js';
import { echoProcessor, jsonCodecs, numberedTopic } from './echo-processor.js';

/** A processor as a process to be killed: `node echo-process.js <broker> <from> <to> <partitions>`. */
const [, , broker = '', from = '', to = '', partitions = '1'] = process.argv;

await startProcessor(
  echoProcessor('echo', numberedTopic(from, Number(partitions)), numberedTopic(to, Number(partitions))),
  {
    kafka: accessTo([broker]),
    codecs: jsonCodecs,
    logger: silentLogger,
    metrics: createMetrics(),
    health: createHealth(),
    groupId: `echo-${from}`,
    sessionTimeoutMs: 3_000,
    fatal: (error) => {
      console.error(error);
      process.exit(70);
    },
  },
);
process.send?.('started');
