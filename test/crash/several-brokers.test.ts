import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../stack/server.js';
import { catalogue } from '../../topics/catalogue.js';
import { agentRole } from '../support/agent-role.js';
import { sendLoad, type Ledger } from '../support/agent-load.js';
import {
  eventsOf,
  spansOf,
  spoolIsEmpty,
  storedEventsOf,
  tracesOf,
  verifyNumbers,
} from '../support/agent-oracle.js';
import { BatchSender } from '../support/agent-batches.js';
import { startClusterStack, type ClusterStack } from '../support/cluster-stack.js';
import { healthBody, snapshot } from '../support/cluster-snapshots.js';
import { standardAppends, startPipeline, type Pipeline } from '../support/pipeline.js';
import type { Role } from '../support/roles.js';
import { inTurn, taskClient, type TaskClient } from '../support/task-client.js';
import { atScale } from '../support/scale.js';
import { TaskOracle } from '../support/task-oracle.js';

const workspace = 'several-brokers';
interface Plan {
  readonly edgesShare: boolean;
  readonly rounds: number;
  readonly hangingRounds: number;
  readonly rolls: number;
  readonly leastKills: number;
}
const edgesKeepAll: Plan = {
  edgesShare: false,
  ...atScale(
    { rounds: 1, hangingRounds: 0, rolls: 0, leastKills: 4 },
    { rounds: 5, hangingRounds: 2, rolls: 1, leastKills: 35 },
  ),
};
const edgesShare: Plan = { edgesShare: true, rounds: 1, hangingRounds: 0, rolls: 0, leastKills: 8 };
/** The brokers that are killed or hang. Clients start with the first in the list. */
const brokers = atScale([0], [0, 1, 2]);
const connections = 8;
const everyMs = atScale(400, 100);
/** Longer than Kafka takes to move the broker's partitions to others. */
const hangMs = 15_000;

/** A broker or processes that go down and come back. */
interface Victim {
  readonly name: string;
  /** Its index in the list of brokers. */
  readonly broker?: number;
  takeDown(): Promise<unknown>;
  bringBack(): Promise<unknown>;
}

function signal(broker: Server, name: NodeJS.Signals): void {
  assert.ok(broker.pid !== undefined);
  process.kill(broker.pid, name);
}

describe('oracle on three brokers: what was acknowledged while each broker and process is killed in turn', function () {
  tryAll(this, edgesKeepAll);
});
if (atScale(false, true))
  describe('oracle on three brokers, with edges that share the statuses of tasks', function () {
    tryAll(this, edgesShare);
  });

function tryAll(suite: Mocha.Suite, plan: Plan): void {
  suite.timeout(60 * 60_000);
  let stack: ClusterStack;
  let pipeline: Pipeline;
  /** Tasks go to the first; keyed tasks go to both in turn. Both edges know all tasks. */
  let edges: readonly [Role, Role];
  let agent: Role;
  const tasks = new TaskOracle(workspace);
  const keyed = new TaskOracle(workspace, 'Keyed', true);
  const snapshots = new Set<string>();
  let spans: Ledger;
  let events: Ledger;
  const kills: string[] = [];
  /** The longest time without a 202, in ms, with and without keys, by the kind of victim when it started. */
  const longestGaps = new Map<string, number>();
  let killed = 'nothing';
  /** Keys for which a repeated request was acknowledged as a different task. */
  const acceptedTwice: string[] = [];
  let repeats = 0;
  /** Tasks that an edge did not know although they had been acknowledged. */
  const unknown: string[] = [];

  before(async () => {
    stack = await startClusterStack();
    // At full scale the processes sign in over TLS, so every broken connection needs a new handshake.
    pipeline = await startPipeline(workspace, {
      stack,
      all: { ...atScale({}, stack.signedIn), KAFKA_TOPIC_REPLICATION: '3' },
      edge: standardAppends,
      edgesShare: plan.edgesShare,
    });
    edges = [pipeline.edge, await pipeline.anotherEdge()];
    agent = await agentRole(pipeline);
    await agent.start();
    let over = false;
    const goesOn = (): boolean => !over;
    const load = Promise.all([
      submit(tasks, goesOn),
      submit(keyed, goesOn),
      sendSnapshots(goesOn),
      sendLoad({ url: agent.url, goesOn, items: 1, perRequest: 20, everyMs, requestOf: tracesOf }),
      sendLoad({ url: agent.url, goesOn, items: 1, perRequest: 10, everyMs, requestOf: eventsOf }),
    ]);
    await killAllInTurn();
    over = true;
    [, , , spans, events] = await load;
  });
  after(async () => {
    await agent.stop();
    await edges[1].stop();
    await pipeline.stop();
    await stack.stop();
  });

  async function submit(oracle: TaskOracle, goesOn: () => boolean): Promise<void> {
    const clientOf = ({ url }: Role): TaskClient => taskClient(url, pipeline.key, connections);
    const clients = [clientOf(edges[0]), clientOf(edges[1])] as const;
    const client = oracle === keyed ? inTurn(clients) : clients[0];
    const submitted: Promise<void>[] = [];
    const kind = oracle === keyed ? 'keyed tasks' : 'tasks';
    let acknowledged = { at: Date.now(), amid: killed };
    for (let index = 0; goesOn(); index++) {
      submitted.push(
        oracle.submitUntilAccepted(client, index).then(async (id) => {
          // A gap counts for the victim that was down when it started, and can last until another is killed.
          const until = killed === acknowledged.amid ? '' : `, until ${killed}`;
          const gap = `${kind}: ${acknowledged.amid}${until}`;
          longestGaps.set(gap, Math.max(longestGaps.get(gap) ?? 0, Date.now() - acknowledged.at));
          acknowledged = { at: Date.now(), amid: killed };
          await Promise.all(clients.map((each) => assertKnown(each, id)));
          if (oracle === keyed) await repeat(client, index, id);
        }),
      );
      await sleep(everyMs);
    }
    await Promise.all(submitted);
    for (const each of clients) each.close();
  }

  /** Repeats a request under its key, at once or much later, at either edge. */
  async function repeat(client: TaskClient, index: number, id: string): Promise<void> {
    const earlier = index % 2 === 0 ? undefined : [...keyed.acknowledged][Math.floor(index / 2)];
    const [known, of] = earlier ?? [id, index];
    const again = await keyed.submitUntilAccepted(client, of);
    repeats += 1;
    if (again !== known) acceptedTwice.push(`request ${of}: ${known}, ${again}`);
  }

  /** A dead edge, or one that can't know in time (503), gives no wrong answer. */
  async function assertKnown(client: TaskClient, id: string): Promise<void> {
    const answer = await client.status(id).catch(() => undefined);
    if (answer !== undefined && answer.code !== 200 && answer.code !== 503)
      unknown.push(`${id}: ${answer.code}`);
  }

  /** Sends one snapshot of a new cluster per batch, and resends a batch under its id until it is accepted. */
  async function sendSnapshots(goesOn: () => boolean): Promise<void> {
    const sender = new BatchSender(pipeline.edge.url, pipeline.key);
    const minute = Math.floor(Date.now() / 60_000);
    for (let index = 0; goesOn(); index++) {
      const { body, ...head } = snapshot('health', minute, healthBody(), {
        cluster_uuid: `cluster-${index}`,
      });
      await sender.sendUntilTaken('snapshots', [{ ...head, body: JSON.parse(body) as object }]);
      snapshots.add(head.id);
      await sleep(everyMs);
    }
  }

  const oneByOne = (roles: Readonly<Record<string, Role>>): readonly Victim[] =>
    Object.entries(roles).map(([name, role]) => atOnce({ [name]: role }));
  const atOnce = (roles: Readonly<Record<string, Role>>): Victim => ({
    name: `${Object.keys(roles).join(', ')} killed`,
    takeDown: () => Promise.all(Object.values(roles).map((role) => role.kill9())),
    bringBack: () => Promise.all(Object.values(roles).map((role) => role.start())),
  });

  function victimsOf(round: number): readonly Victim[] {
    const nodes = brokers.map((index) => ({ index, node: stack.nodes[index] ?? assert.fail() }));
    const dying = nodes.map(({ index, node }) => ({
      name: 'killed',
      broker: index,
      takeDown: () => node.kill9(),
      bringBack: () => node.start(),
    }));
    // A broker that keeps its connections but answers nothing while an edge starts. That edge has no load:
    // its start would count as time without a 202.
    const hanging = nodes.map(({ index, node }) => ({
      name: 'hanging',
      broker: index,
      async takeDown() {
        signal(node, 'SIGSTOP');
        await sleep(hangMs);
        await (await pipeline.anotherEdge()).kill9();
      },
      bringBack() {
        signal(node, 'SIGCONT');
        return Promise.resolve();
      },
    }));
    const rolling = nodes.map(({ index, node }) => ({
      name: 'rolled',
      broker: index,
      takeDown: () => node.stop(),
      bringBack: () => node.start(),
    }));
    const { edge, processors, sinks } = pipeline;
    const behindEdges = { processors, sinks, agent };
    const processes = [
      ...oneByOne({ edge, 'other edge': edges[1] }),
      // Other tests kill them one by one, with a single broker.
      ...atScale([atOnce(behindEdges)], oneByOne(behindEdges)),
    ];
    return [
      ...dying,
      ...(round < plan.hangingRounds ? hanging : []),
      ...(round < plan.rolls ? rolling : []),
      ...processes,
    ];
  }

  async function killAllInTurn(): Promise<void> {
    const topics = catalogue.map(({ name }) => name);
    for (let round = 0; round < plan.rounds; round++) {
      for (const victim of victimsOf(round)) {
        killed = kindOf(victim);
        // Leaves time for a 202 before the gap.
        await sleep(1_000);
        await victim.takeDown();
        await victim.bringBack();
        kills.push(killed);
        // With two of three brokers down nothing is acknowledged, so the test would exercise less, not more.
        if (victim.broker !== undefined) await stack.inSync(topics);
      }
    }
  }

  /** Distinguishes the active controller from other brokers: without it, Kafka first elects another. */
  function kindOf({ name, broker }: Victim): string {
    if (broker === undefined) return name;
    return `${stack.activeController(broker) === broker ? 'the active controller' : 'a broker'} ${name}`;
  }

  it('was acknowledged although some calls failed', () => {
    console.log(
      `      ${kills.length} kills; ${tasks.acknowledged.size} tasks, ${keyed.acknowledged.size} keyed tasks, ` +
        `${spans.acknowledged.size} spans, ${events.acknowledged.size} events, ${snapshots.size} snapshots; ` +
        `${tasks.failedRequests + keyed.failedRequests} task requests had to be repeated; ` +
        `longest time without a 202, ms: ${JSON.stringify(Object.fromEntries(longestGaps))}`,
    );
    assert.ok(kills.length >= plan.leastKills);
    assert.ok(tasks.failedRequests > 0 && keyed.failedRequests > 0);
  });

  it('is one task for one Idempotency-Key, whichever edge it comes to', () => {
    assert.ok(repeats >= keyed.acknowledged.size);
    assert.deepEqual(acceptedTwice, []);
  });

  it('is never said to be unknown, by either edge, from its 202 on', () => {
    assert.deepEqual(unknown, []);
  });

  it('is processed, as the status endpoint says: tasks', async () => {
    const client = taskClient(pipeline.edge.url, pipeline.key, connections);
    await tasks.verifyProcessed(client, connections);
    await keyed.verifyProcessed(client, connections);
    client.close();
  });

  it('is in ClickHouse once: tasks, and tasks under an Idempotency-Key', async () => {
    await pipeline.sinkCaughtUp();
    await tasks.verifyStored(pipeline);
    await keyed.verifyStored(pipeline);
  });

  it('is in ClickHouse once: spans and events', async () => {
    await spoolIsEmpty(agent.url);
    await verifyNumbers(pipeline, spans, spansOf(workspace));
    await verifyNumbers(pipeline, events, storedEventsOf(workspace));
  });

  it('is in ClickHouse once: snapshots', async () => {
    const sql = `SELECT snapshot_id AS id, count() AS copies FROM telltale.cluster_overview
      WHERE workspace = '${workspace}' GROUP BY id`;
    let stored = new Map<string, number>();
    for (let tries = 0; [...snapshots].some((id) => !stored.has(id)); tries++) {
      assert.ok(tries < 600, `${snapshots.size} were taken, ${stored.size} are stored`);
      const rows = await pipeline.query<{ id: string; copies: string }>(sql);
      stored = new Map(rows.map(({ id, copies }) => [id, Number(copies)]));
      await sleep(200);
    }
    assert.deepEqual(
      [...stored].filter(([id, copies]) => copies !== 1 || !snapshots.has(id)),
      [],
    );
  });

  it('leaves an audit without duplicates and gaps', async () => {
    assert.deepEqual(await pipeline.audit(), { duplicates: 0, gaps: 0, expired: 0 });
  });
}
