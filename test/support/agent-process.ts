import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pickFreePort } from '../../stack/ports.js';
import { until } from './until.js';

export interface AgentProcessOptions {
  readonly serverUrl: string;
  /** The content of integration.json. */
  readonly integration: object;
  readonly apiKey?: string;
}

/** The agent as a user starts it: a separate process and folder, with every component. */
export class AgentProcess {
  private readonly exited: Promise<unknown>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {
    this.exited = new Promise((done) => child.once('exit', done));
  }

  static async start({
    serverUrl,
    integration,
    apiKey = 'tt_a_b',
  }: AgentProcessOptions): Promise<AgentProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'telltale-agent-'));
    writeFileSync(join(folder, 'integration.json'), JSON.stringify(integration));
    const port = await pickFreePort();
    const entry = [
      '--import',
      resolve('dist/test/support/report-peak.js'),
      resolve('dist/cli/telltale-agent.js'),
    ];
    const child = spawn(process.execPath, entry, {
      cwd: folder,
      env: {
        AGENT_PORT: String(port),
        AGENT_SERVER_URL: serverUrl,
        AGENT_API_KEY: apiKey,
        LOG_LEVEL: 'error',
        PEAK_FILE: join(folder, 'peak'),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const agent = new AgentProcess(child, folder, `http://127.0.0.1:${port}`);
    await until('the agent is ready', () =>
      fetch(`${agent.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return agent;
  }

  async status(): Promise<unknown> {
    return (await fetch(`${this.url}/status`)).json();
  }

  /** Returns the peak memory of the process, in megabytes. */
  async stop(): Promise<number> {
    this.child.kill('SIGTERM');
    await this.exited;
    const peak = Number(readFileSync(join(this.folder, 'peak'), 'utf8'));
    rmSync(this.folder, { recursive: true });
    return peak;
  }
}
