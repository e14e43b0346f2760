import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { eventsComponent } from '../../agent/events/events-component.js';
import { traces } from '../../agent/traces/traces.js';
import { startAgentWith } from '../support/agent-components.js';
import { startEdgeInMemory } from '../support/edge-in-memory.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Its command: from the PATH, or from the variable. */
const schemathesis = process.env['SCHEMATHESIS'] ?? 'schemathesis';

const run = [
  ...['--phases', 'examples,fuzzing,stateful', '--max-examples', '5', '--seed', '1', '--no-shrink'],
  // A documented 503 is no failure; a 500, which no document has, does not conform. Its checks of accepted
  // and refused data ignore Content-Encoding, and that a 422 can depend on another field: see other tests.
  ...[
    '--checks',
    'status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance',
  ],
  // A run that found its own key in the list would revoke it, and then see only 401.
  ...['--exclude-operation-id', 'revokeKey', '--exclude-operation-id', 'rotateKey'],
  ...['--continue-on-failure', '--generation-database', 'none', '--no-color'],
];

describe('schemathesis, if installed (skipped otherwise)', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  before(function () {
    if (spawnSync(schemathesis, ['--version']).status !== 0) this.skip();
  });

  /** Rejects with schemathesis's findings. */
  const check = (url: string, ...more: readonly string[]): Promise<void> =>
    new Promise((done, reject) => {
      const child = spawn(schemathesis, ['run', `${url}/openapi.json`, ...run, ...more], {
        // It writes a cache to its working directory.
        cwd: folder(),
        env: {
          ...process.env,
          SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
          PYTHONPATH: resolve('test/contract'),
          PYTHONDONTWRITEBYTECODE: '1',
        },
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text: Buffer) => (said += text.toString()));
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) done();
        else reject(new assert.AssertionError({ message: said }));
      });
    });

  it('finds that the edge matches its document, links included', async () => {
    const edge = await startEdgeInMemory({ config: { EDGE_REALTIME_DEADLINE_SECONDS: 1 } });
    edge.ports.answerCalls(() => ({ result: null, error: 'No language model is configured.' }));
    try {
      await check(edge.url, '--header', `Authorization: Bearer ${edge.token}`);
    } finally {
      await edge.stop();
    }
  });

  it('finds that the agent matches its document', async () => {
    const agent = await startAgentWith([eventsComponent, traces]);
    try {
      // This agent has no component that talks to search clusters.
      await check(agent.url, '--exclude-path-regex', '^/integrations/');
    } finally {
      await agent.stop();
    }
  });
});
