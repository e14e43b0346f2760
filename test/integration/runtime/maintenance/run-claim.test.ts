import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunClaim, type NotTaken, type RunClaimOptions } from '../../../../runtime/maintenance/run-claim.js';
import { readPartition } from '../../../../runtime/kafka/consume/read-log.js';
import { openCodec } from '../../../../runtime/registry/codec.js';
import { connectRegistry } from '../../../../runtime/registry/registry.js';
import type { MaintenanceRun } from '../../../../schemas/generated/maintenance-run.js';
import { maintenanceRuns } from '../../../../topics/maintenance.js';
import { applyTopics } from '../../../support/applied.js';
import { accessTo, connectedProducer, plainKafka } from '../../../support/kafka.js';
import { theStack } from '../../../support/stack.js';

describe('claims of scheduled runs', () => {
  let options: RunClaimOptions;
  const due = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
  const held = (claim: RunClaim | NotTaken): RunClaim => {
    assert.ok(claim instanceof RunClaim, 'the claim is not taken');
    return claim;
  };
  const lastRun = async (task: string): Promise<MaintenanceRun | undefined> => {
    const { access: kafka, codec } = options;
    const { signal } = new AbortController();
    return (await readPartition({ topic: maintenanceRuns, codec, partition: 0, kafka, signal })).values.get(
      task,
    );
  };

  before(async () => {
    const stack = await theStack();
    await applyTopics(stack);
    const codec = await openCodec(maintenanceRuns, connectRegistry(stack.registryConfig));
    options = { access: accessTo(stack.brokers), codec, process: 'test:1' };
  });

  it('gives a scheduled run to one of many processes, and the next to none until the run has ended', async () => {
    const task = randomUUID();
    const asked = await Promise.all(Array.from({ length: 4 }, () => RunClaim.take(options, task, due(1))));
    const taken = asked.filter((one) => one instanceof RunClaim);
    assert.equal(taken.length, 1);
    assert.equal(await RunClaim.take(options, task, due(2)), 'running');
    // The question above fenced its producer: it finds its claim, and continues.
    assert.equal(await taken[0]?.end('found', 'a gap'), true);
    assert.equal((await lastRun(task))?.detail, 'a gap');
    assert.equal(await RunClaim.take(options, task, due(1)), 'done');
    await held(await RunClaim.take(options, task, due(2))).end('good', '');
  });

  it('passes on the claim of a killed process once its hold has expired, and tells that process', async () => {
    const task = randomUUID();
    const killed = held(await RunClaim.take({ ...options, holdMs: 1_000_000 }, task, due(1)));
    const claim = await lastRun(task);
    assert.ok(claim !== undefined);
    const producer = await connectedProducer(plainKafka(options.access.brokers));
    const expired = { ...claim, held_until: Date.now() * 1_000 - 1 };
    const record = { key: task, value: options.codec.encode(expired) };
    await producer.send({ topic: maintenanceRuns.name, messages: [record] });
    await producer.disconnect();
    assert.equal(await RunClaim.take(options, task, due(1)), 'done');
    const successor = held(await RunClaim.take(options, task, due(2)));
    assert.equal(await killed.end('good', ''), false);
    assert.equal(await successor.end('good', ''), true);
  });

  it('holds a claim for as long as the run takes', async () => {
    const task = randomUUID();
    const claim = held(await RunClaim.take({ ...options, holdMs: 3_000 }, task, due(1)));
    const first = (await lastRun(task))?.held_until ?? 0;
    let now = first;
    for (; now === first; now = (await lastRun(task))?.held_until ?? 0) await sleep(100);
    assert.ok(now > first);
    await claim.end('good', '');
  });
});
