import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { reasonOf } from '../../runtime/errors.js';
import { fetchOnce } from '../../stack/cache.js';
import { pickFreePort } from '../../stack/ports.js';

const run = promisify(execFile);
const version = '0.155.0';
const builder = `go.opentelemetry.io/collector/cmd/builder@v${version}`;
const buildMs = 30 * 60_000;

/**
 * The OpenTelemetry Collector with an OTLP receiver and a Kafka exporter. It is built once with Go into the
 * cache, which takes minutes. Returns the reason if that is impossible.
 */
export async function collectorBinary(): Promise<{ readonly path: string } | { readonly missing: string }> {
  try {
    const folder = await fetchOnce(`otelcol-${version}`, async (unfinished) => {
      const config = join(unfinished, 'otel-collector.yaml');
      copyFileSync('bench/peers/otel-collector.yaml', config);
      const options = { cwd: unfinished, env: { ...process.env, GOBIN: unfinished }, timeout: buildMs };
      await run('go', ['install', builder], options);
      await run(join(unfinished, 'builder'), ['--config', config], options);
    });
    return { path: join(folder, 'build', 'otelcol') };
  } catch (error) {
    return { missing: reasonOf(error).split('\n')[0] ?? '' };
  }
}

export interface Collector {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** JSON in, Kafka out with acks of all replicas and no queue: a 200 means that Kafka has it, as with us. */
export async function startCollector(
  path: string,
  brokers: readonly string[],
  topic: string,
  folder: string,
): Promise<Collector> {
  const port = await pickFreePort();
  const config = join(folder, 'collector.json');
  writeFileSync(
    config,
    JSON.stringify({
      receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
      exporters: {
        kafka: {
          brokers,
          traces: { topic, encoding: 'otlp_proto' },
          producer: { required_acks: -1, compression: 'lz4' },
          sending_queue: { enabled: false },
        },
      },
      service: {
        telemetry: { metrics: { level: 'none' } },
        pipelines: { traces: { receivers: ['otlp'], exporters: ['kafka'] } },
      },
    }),
  );
  const child = spawn(path, ['--config', config], { stdio: 'ignore' });
  await untilListening(port, child);
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    pid: child.pid ?? 0,
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await exited;
    },
  };
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the Collector ended with ${child.exitCode}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('close', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    await sleep(100);
  }
}
