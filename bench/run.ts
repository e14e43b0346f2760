import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fetchEmbeddingModel } from '../stack/embedding-model/fetch.js';
import { startPipeline } from '../test/support/pipeline.js';
import { role, runTelltale, stackEnvironment } from '../test/support/roles.js';
import { stopTheStack, theStack } from '../test/support/stack.js';
import { openAcceptBench } from './accept.js';
import {
  besideConstant,
  compare,
  compareFigures,
  figure,
  type Comparison,
  type ComparisonResult,
} from './comparison.js';
import { measureCombinedCalls } from './combined-call.js';
import { combinedTexts, openCombinedBench } from './combined.js';
import { measureDashboard } from './dashboard/measure.js';
import { measureFairness } from './fairness.js';
import { measurePii } from './pii.js';
import { measureOverload } from './overload.js';
import { openEventBench } from './events.js';
import { openRealtimeBench } from './realtime.js';
import { measureReplay, workspace as replayed } from './replay.js';
import { writeReport } from './report.js';
import { measureScorers, pythonReference } from './scorers.js';
import { measureScrub } from './scrub.js';
import { openSinkBench } from './sink.js';
import { openStatusReadBench } from './status-reads.js';
import { measureViewRestart } from './status-view-restart.js';
import { openTracesBench } from './traces.js';

const peerOption = '--peer=';
/** Another built checkout, with which this one is compared. */
const peer = process.argv.find((argument) => argument.startsWith(peerOption))?.slice(peerOption.length);

const say = (line: string): void => console.log(line);

/** Presidio's own figure on the same texts. */
const presidio = 158;
const piiTarget = 2_000;

const scorersTarget = 10_000;

const tasksOfView = 1_000_000;

const benches: Readonly<Record<string, () => Promise<readonly ComparisonResult[]>>> = {
  scorers: () =>
    Promise.resolve([
      besideConstant({
        name: 'the three scorers together, on the reference texts',
        unit: 'texts per CPU-second',
        floorName: 'the Python reference; a constant',
        ours: measureScorers().textsPerCpuSecond,
        floor: pythonReference,
        target: { atLeast: Number((scorersTarget / pythonReference).toFixed(2)) },
      }),
    ]),
  pii() {
    const ours = measurePii();
    if (ours === null) return Promise.resolve(skipped('the labelled texts are not here'));
    return Promise.resolve([
      besideConstant({
        name: 'detected_pii alone, on halu_general_human',
        unit: 'texts per CPU-second',
        floorName: 'Presidio; a constant',
        ours,
        floor: presidio,
        target: { atLeast: Number((piiTarget / presidio).toFixed(2)) },
      }),
    ]);
  },
  scrub: () => measureScrub(say),
  async combined() {
    const sets = combinedTexts();
    if (sets === null) return skipped('the labelled texts are not here');
    return compareAll(await openCombinedBench(await fetchEmbeddingModel(), sets), alone);
  },
  async 'combined-call'() {
    const [short] = combinedTexts() ?? [];
    if (short === undefined) return skipped('the labelled texts are not here');
    const folder = await fetchEmbeddingModel();
    const pipeline = await startPipeline('bench-combined', { processors: { EMBEDDING_MODEL_DIR: folder } });
    try {
      return await measureCombinedCalls(pipeline, folder, short.texts);
    } finally {
      await pipeline.stop();
    }
  },
  async accept() {
    const stack = await theStack();
    await runTelltale(['topics', 'apply'], stackEnvironment(stack));
    return compareAll(await openAcceptBench(stack), alone);
  },
  async overload() {
    const stack = await theStack();
    await runTelltale(['topics', 'apply'], stackEnvironment(stack));
    return measureOverload(stack, say);
  },
  async events() {
    const stack = await theStack();
    await runTelltale(['topics', 'apply'], stackEnvironment(stack));
    const bench = await openEventBench(stack);
    return compareAll({ comparisons: [bench.comparison], stop: () => bench.stop() }, compareFigures);
  },
  async sink() {
    if (peer === undefined) return skipped('it needs another built checkout: --peer=<folder>');
    return compareAll(await openSinkBench(await theStack(), peer), compareFigures);
  },
  async status() {
    const { brokers } = await theStack();
    return compareAll(await openStatusReadBench({ brokers }), alone);
  },
  async 'status-restart'() {
    const { brokers } = await theStack();
    const { restarted } = await measureViewRestart(brokers, tasksOfView, say);
    const ofView = `restart of the status view with ${tasksOfView.toLocaleString('en')} tasks`;
    return [
      besideConstant({
        name: `${ofView}, until it is ready`,
        unit: 's',
        floorName: 'what it may take',
        ours: restarted.seconds,
        floor: 10,
        target: { atMost: 1 },
      }),
      besideConstant({
        name: `${ofView}, resident memory`,
        unit: 'MiB',
        floorName: 'what it may hold',
        ours: restarted.residentMiB,
        floor: 400,
        target: { atMost: 1 },
      }),
    ];
  },
  async traces() {
    return compareAll(await openTracesBench(await theStack(), say), compareFigures);
  },
  async fairness() {
    const embedding = { EMBEDDING_MODEL_DIR: await fetchEmbeddingModel() };
    const pipeline = await startPipeline('bench-fairness', {
      processors: { ...embedding, PROCESSORS_RUN: 'lanes' },
    });
    const overflow = await role({
      ...{ command: 'processors', portVariable: 'PROCESSORS_PORT', ownSession: true },
      environment: { ...pipeline.environment, ...embedding, PROCESSORS_RUN: 'overflow' },
      logFile: join(pipeline.folder, 'overflow.log'),
    });
    await overflow.start();
    // What a container's CPU weight does.
    writeFileSync(`/proc/${overflow.pid ?? 'self'}/autogroup`, '19');
    const made = ['keys', 'create', '--workspace', 'bench-noisy', '--name', 'bench', '--json'];
    try {
      const { key } = JSON.parse(await runTelltale(made, pipeline.environment)) as { key: string };
      return await measureFairness(pipeline, key, say);
    } finally {
      await overflow.stop();
      await pipeline.stop();
    }
  },
  async replay() {
    const pipeline = await startPipeline(replayed);
    try {
      return await measureReplay(pipeline, say);
    } finally {
      await pipeline.stop();
    }
  },
  async dashboard() {
    const pipeline = await startPipeline('bench-dashboard');
    try {
      return await measureDashboard(pipeline, 'bench-dashboard', say);
    } finally {
      await pipeline.stop();
    }
  },
  async realtime() {
    const pipeline = await startPipeline('bench-realtime');
    try {
      return await compareAll(await openRealtimeBench(pipeline), compareFigures);
    } finally {
      await pipeline.stop();
    }
  },
};

function skipped(why: string): readonly ComparisonResult[] {
  say(`skipped: ${why}`);
  return [];
}

async function compareAll<One>(
  bench: { readonly comparisons: readonly One[]; readonly stop: () => Promise<void> },
  measure: (one: One, progress: typeof say) => Promise<readonly ComparisonResult[]>,
): Promise<readonly ComparisonResult[]> {
  try {
    const results: ComparisonResult[] = [];
    for (const comparison of bench.comparisons) results.push(...(await measure(comparison, say)));
    return results;
  } finally {
    await bench.stop();
  }
}

const alone = async (comparison: Comparison, progress: typeof say): Promise<readonly ComparisonResult[]> => [
  await compare(comparison, progress),
];

const wanted = process.argv.slice(2).filter((name) => !name.startsWith(peerOption));
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  say(`no benchmark is called ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);
  process.exit(1);
}
const [load = NaN] = loadavg();
const results: ComparisonResult[] = [];
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    say(`── ${name}`);
    results.push(...(await bench()));
  }
} finally {
  await stopTheStack();
}
for (const { name, ratio, met } of results) {
  const verdict = met === null ? '' : met ? 'met' : 'NOT MET';
  say(`${verdict.padEnd(7)} ${figure(ratio)} ${name}`);
}
const day = new Date().toISOString().slice(0, 10);
await writeReport('docs/performance.md', results, { day, load, all: wanted.length === 0 });
say('wrote docs/performance.md');
