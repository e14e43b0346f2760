import { connectClickHouse, writerOptions } from '../../runtime/clickhouse/client.js';
import { clickhouseConfig } from '../../runtime/clickhouse/config.js';
import type { Codec } from '../../runtime/codec.js';
import { readConfig } from '../../runtime/config.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import type { Registry } from '../../runtime/registry/registry.js';
import { openWriterSchemas } from '../../runtime/registry/writer-schemas.js';
import type { OrderedCommits } from '../../runtime/replays/ordered-commits.js';
import { Pace } from '../../runtime/replays/pace.js';
import { doTableReplay } from '../../runtime/replays/table/do-table-replay.js';
import type { ReplayTableOptions } from '../../runtime/replays/table/replay-table.js';
import { tableProgressOf } from '../../runtime/replays/table/table-progress.js';
import { isForSinks, tableIdOf, tableWrites } from '../../runtime/replays/table/table-replay-request.js';
import type { Sink } from '../../runtime/sink.js';
import type { Replay } from '../../schemas/generated/replay.js';
import { untilAborted } from '../../runtime/replays/table/until-aborted.js';
import { liveSinks, startLaneBrake } from '../replays/live-lanes.js';
import { sinkGroup } from '../../runtime/group-ids.js';
import type { RoleContext } from '../role.js';
import { sinks } from '../sinks.js';
import { startRoleReplays } from './role-replays.js';

interface TableReplayDependencies {
  readonly access: KafkaAccess;
  /** After its process has been silent for this long, a replay moves to another process, as partitions do. */
  readonly sessionTimeoutMs: number;
  readonly registry: Registry;
  readonly codec: Codec<Replay>;
}

/** Does the table replays that operators request from the sinks; a command does its own. */
export function startTableReplays(context: RoleContext, dependencies: TableReplayDependencies): void {
  startRoleReplays(context, {
    ...dependencies,
    writesOf: (replay) => sinksOf(replay).flatMap(tableWrites),
    isOwn: (replay) => isForSinks(replay) && sinksOf(replay).length > 0,
    async work(commits, signal) {
      for (const sink of sinksOf(commits.state)) await workOn(context, dependencies, sink, commits, signal);
    },
  });
}

/** The sink of the replay's table; none if only another version of the pipeline has it. */
const sinksOf = ({ id }: Replay): readonly Sink[] => sinks.filter((sink) => tableIdOf(sink) === id);

async function workOn(
  { environment, logger }: RoleContext,
  { access, registry, codec }: TableReplayDependencies,
  sink: Sink,
  commits: OrderedCommits,
  signal: AbortSignal,
): Promise<void> {
  const clickhouse = connectClickHouse(writerOptions(readConfig(clickhouseConfig, environment), logger));
  const brake = startLaneBrake(access, liveSinks, (reason) =>
    logger.info(
      { event: 'replay-gives-way', replay: commits.state.id, reason },
      'a replay yields to live work',
    ),
  );
  const pace = new Pace(tableProgressOf(commits.state.progress).rate ?? undefined);
  try {
    await doTableReplay({
      ...{ access, codec, clickhouse, sink, logger },
      schemas: await openWriterSchemas(sink.from, registry),
      groupId: sinkGroup(sink),
      taken: untilAborted(inTurn(commits), signal),
      async did(count) {
        await pace.did(count, signal);
        await brake.wait(signal);
        signal.throwIfAborted();
      },
      rate: () => pace.rate,
      changed: () => undefined,
    });
  } finally {
    await brake.stop();
    await clickhouse.close();
  }
}

const inTurn = (commits: OrderedCommits): ReplayTableOptions['taken'] => ({
  owner: commits.owner,
  get state() {
    return commits.state;
  },
  commit: (records, state) => commits.commit(records, (standing) => ({ ...standing, ...state })),
});
