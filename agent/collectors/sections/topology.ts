import { masterTimeout, nodeTimeout } from '../../integration/client/waits.js';
import { absencesOf, type KnownReasons } from '../parse/absences.js';
import { parseMaster } from '../parse/cluster.js';
import { parseTopology, topologyAbsences } from '../parse/topology.js';
import type { Section } from '../section.js';
import { cutNodes } from './nodes.js';

const wanted = [
  '_nodes',
  ...[
    'name',
    'version',
    'host',
    'ip',
    'transport_address',
    'http.publish_address',
    'roles',
    'attributes',
    'os.name',
    'os.pretty_name',
    'os.available_processors',
    'os.allocated_processors',
    'jvm.version',
    'jvm.start_time_in_millis',
    'jvm.mem.heap_max_in_bytes',
    'thread_pool',
  ].map((field) => `nodes.*.${field}`),
].join(',');

/** Null here means that the pool has no limit. */
const natural = ['max_threads', 'queue_size'].map((field) => `nodes.*.thread_pools.*.${field}`);

const reasons: KnownReasons = {
  data_nodes: { code: 'failed', reason: 'not every node reported its roles' },
};

/** The nodes, with roles, tiers and the limits of their thread pools. */
export const topologyCollector: Section<'topology'> = {
  name: 'topology',
  intervalSeconds: ({ metadataIntervalSeconds }) => metadataIntervalSeconds,
  enabled: ({ enabled }) => enabled,
  privilege: 'cluster: monitor',
  split: { list: 'nodes', most: () => 100 },
  async collect({ read, ask, settings, memory, cluster }) {
    const answer = await read(
      `/_nodes/os,jvm,thread_pool,http?${nodeTimeout(settings)}&filter_path=${wanted}`,
    );
    const master = await ask(`/_cat/master?format=json&h=id,node&${masterTimeout(settings)}`);
    if (master.status === 200) memory.master = parseMaster(master.body);
    const body = parseTopology(answer, memory.master.id, settings.maxNodes);
    return {
      body,
      partial: (body.nodes_failed ?? 0) > 0,
      unavailable: [
        ...absencesOf(body, natural, reasons, cluster.version, ['nodes.*.thread_pools']),
        ...topologyAbsences(answer),
        ...cutNodes(body, settings),
      ],
    };
  },
};
