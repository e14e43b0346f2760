import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../../stack/server.js';
import { catalogue } from '../../../topics/catalogue.js';
import { agentRole } from '../../support/agent-role.js';
import { sendLoad, type Ledger } from '../../support/agent-load.js';
import {
  eventsOf,
  spansOf,
  spoolIsEmpty,
  storedEventsOf,
  tracesOf,
  verifyNumbers,
} from '../../support/agent-oracle.js';
import { BatchSender } from '../../support/agent-batches.js';
import { startClusterStack, type ClusterStack } from '../../support/cluster-stack.js';
import { healthBody, snapshot } from '../../support/cluster-snapshots.js';
import { standardAppends, startPipeline, type Pipeline } from '../../support/pipeline.js';
import type { Role } from '../../support/roles.js';
import { taskClient } from '../../support/task-client.js';
import { TaskOracle } from '../../support/task-oracle.js';

const workspace = 'several-brokers';
const rounds = 5;
const hangingRounds = 2;
const connections = 8;
const everyMs = 100;

/** Whatever may be killed: brokers and processes. */
interface Victim {
  kill9(): Promise<void>;
  start(): Promise<unknown>;
}

/** Longer than Kafka takes to give its partitions to others. */
const hangMs = 15_000;

/** A broker that keeps its connections and answers nothing. */
function hanging(broker: Server): Victim {
  const send = (signal: NodeJS.Signals): void => {
    assert.ok(broker.pid !== undefined);
    process.kill(broker.pid, signal);
  };
  return {
    async kill9() {
      send('SIGSTOP');
      await sleep(hangMs);
    },
    start() {
      send('SIGCONT');
      return Promise.resolve();
    },
  };
}

describe('oracle on three brokers: what was acknowledged while each broker and process is killed in turn', function () {
  this.timeout(60 * 60_000);
  let stack: ClusterStack;
  let pipeline: Pipeline;
  let agent: Role;
  const tasks = new TaskOracle(workspace);
  const keyed = new TaskOracle(workspace, 'Keyed', true);
  const snapshots = new Set<string>();
  let spans: Ledger;
  let events: Ledger;
  const kills: string[] = [];
  /** Longest time without a 202 while each kind of victim was killed, of tasks with and without a key, milliseconds. */
  const longestGaps = new Map<string, number>();
  let killed = 'nothing';

  before(async () => {
    stack = await startClusterStack();
    pipeline = await startPipeline(workspace, {
      stack,
      all: { KAFKA_TOPIC_REPLICATION: '3' },
      edge: standardAppends,
    });
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
    await pipeline.stop();
    await stack.stop();
  });

  async function submit(oracle: TaskOracle, goesOn: () => boolean): Promise<void> {
    const client = taskClient(pipeline.edge.url, pipeline.key, connections);
    const submitted: Promise<void>[] = [];
    const kind = oracle === keyed ? 'keyed tasks' : 'tasks';
    let acknowledgedAt = Date.now();
    for (let index = 0; goesOn(); index++) {
      submitted.push(
        oracle.submitUntilAccepted(client, index).then(() => {
          const gap = `${kind} while ${killed} was killed`;
          longestGaps.set(gap, Math.max(longestGaps.get(gap) ?? 0, Date.now() - acknowledgedAt));
          acknowledgedAt = Date.now();
        }),
      );
      await sleep(everyMs);
    }
    await Promise.all(submitted);
    client.close();
  }

  /** One snapshot a batch, each of a cluster of its own; a batch is sent again under its id until it is taken. */
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

  async function killAllInTurn(): Promise<void> {
    const topics = catalogue.map(({ name }) => name);
    const processes: readonly (readonly [string, Victim])[] = [
      ['edge', pipeline.edge],
      ['processors', pipeline.processors],
      ['sinks', pipeline.sinks],
      ['agent', agent],
    ];
    for (let round = 0; round < rounds; round++) {
      const brokers = stack.nodes.map((node, index): [string, Victim] => [`broker ${index + 1}`, node]);
      const hung = stack.nodes.map((node, index): [string, Victim] => [
        `broker ${index + 1}, hanging`,
        hanging(node),
      ]);
      for (const [name, victim] of [...brokers, ...(round < hangingRounds ? hung : []), ...processes]) {
        await sleep(1_000);
        killed = kindOf(name);
        await victim.kill9();
        await victim.start();
        kills.push(name);
        // With two of three away nothing is acknowledged: that would try less, not more.
        if (name.startsWith('broker')) await stack.inSync(topics);
      }
    }
  }

  /** Brokers are of two kinds: without the active controller, Kafka first elects another. */
  function kindOf(name: string): string {
    const [, broker] = /^broker (\d)/.exec(name) ?? [];
    if (broker === undefined) return name;
    const index = Number(broker) - 1;
    const kind = stack.activeController(index) === index ? 'the active controller' : 'a broker';
    return name.replace(/broker \d/, kind);
  }

  it('was acknowledged through at least 30 kills, while calls failed', () => {
    console.log(
      `      ${kills.length} kills; ${tasks.acknowledged.size} tasks, ${keyed.acknowledged.size} keyed tasks, ` +
        `${spans.acknowledged.size} spans, ${events.acknowledged.size} events, ${snapshots.size} snapshots; ` +
        `${tasks.failedRequests + keyed.failedRequests} task requests had to be repeated; ` +
        `longest time without a 202, ms: ${JSON.stringify(Object.fromEntries(longestGaps))}`,
    );
    assert.ok(kills.length >= 30);
    assert.ok(tasks.failedRequests > 0 && keyed.failedRequests > 0);
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
});
