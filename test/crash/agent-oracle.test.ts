import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentRole } from '../support/agent-role.js';
import { sendLoad, type Ledger, type LoadRequest } from '../support/agent-load.js';
import {
  eventsOf,
  spansOf,
  spoolIsEmpty,
  storedEventsOf,
  tracesOf,
  verifyNumbers,
} from '../support/agent-oracle.js';
import { killable, sharedPipeline, type Pipeline } from '../support/pipeline.js';
import { pickFreePort } from '../../stack/ports.js';
import type { Role } from '../support/roles.js';
import { atScale } from '../support/scale.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const spans = atScale(4_000, 200_000);
const events = atScale(1_000, 50_000);
const cutMs = atScale(4_000, 30_000);

describe('oracle: every event and span that the agent acknowledged', function () {
  this.timeout(40 * 60_000);
  let pipeline: Pipeline;
  let agent: Role;
  let proxy: TcpProxy;
  const ledgers: Record<'spans' | 'events' | 'singles', Ledger | undefined> = {
    spans: undefined,
    events: undefined,
    singles: undefined,
  };

  const kill = async (victim: { kill9(): Promise<void>; start(): Promise<void> }): Promise<void> => {
    await victim.kill9();
    await victim.start();
    await sleep(500);
  };
  const havoc = async (): Promise<void> => {
    const { edge, sinks, stack } = pipeline;
    // several-brokers.test.ts also shows that killing a broker or a sink loses none of these items.
    for (const victim of atScale([agent, edge], [agent, edge, stack.kafka, sinks])) await kill(victim);
    proxy.cut();
    await sleep(cutMs / 2);
    await kill(agent); // during the outage
    await sleep(cutMs / 2);
    proxy.mend();
    await sleep(1_000);
    for (const victim of atScale([], [edge, agent, sinks])) await kill(victim);
  };

  before(async () => {
    pipeline = await sharedPipeline('agent-oracle', killable);
    proxy = await startTcpProxy(await pickFreePort(), Number(new URL(pipeline.edge.url).port));
    agent = await agentRole(pipeline, { environment: { AGENT_SERVER_URL: proxy.url } });
    await agent.start();
    let over = false;
    const goesOn = (): boolean => !over;
    const common = { url: agent.url, goesOn };
    const sent = Promise.all([
      sendLoad({ ...common, items: spans, perRequest: 100, everyMs: atScale(200, 40), requestOf: tracesOf }),
      sendLoad({ ...common, items: events, perRequest: 50, everyMs: atScale(400, 80), requestOf: eventsOf }),
      sendLoad({ ...common, items: 100, perRequest: 1, everyMs: 200, requestOf: singleOf }),
    ]);
    await havoc();
    over = true;
    [ledgers.spans, ledgers.events, ledgers.singles] = await sent;
  });

  /** Single events have negative values, so that no number occurs twice. */
  const singleOf = ([number = 0]: readonly number[]): LoadRequest => eventsOf([-number]);

  after(async () => {
    await agent.stop();
    await proxy.stop();
  });

  it('is sent from the agent’s spool to the server', () => spoolIsEmpty(agent.url));

  it('is in ClickHouse once: spans', async () => {
    assert.ok(ledgers.spans !== undefined && ledgers.spans.acknowledged.size >= spans);
    await verifyNumbers(pipeline, ledgers.spans, spansOf('agent-oracle'));
  });

  it('is in ClickHouse once: events', async () => {
    const { events: many, singles } = ledgers;
    assert.ok(many !== undefined && singles !== undefined && many.acknowledged.size >= events);
    const negative = (numbers: ReadonlySet<number>): number[] => [...numbers].map((number) => -number);
    const all = {
      acknowledged: new Set([...many.acknowledged, ...negative(singles.acknowledged)]),
      unknown: new Set([...many.unknown, ...negative(singles.unknown)]),
    };
    await verifyNumbers(pipeline, all, storedEventsOf('agent-oracle'));
  });

  it('was sent while some attempts failed', () => {
    assert.ok((ledgers.spans?.unknown.size ?? 0) > 0, 'no attempt failed: the blows have hit nothing');
  });

  it('leaves an audit without duplicates and gaps', async () => {
    assert.deepEqual(await pipeline.audit(), { duplicates: 0, gaps: 0, expired: 0 });
  });
});
