import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly action: string };
}

const file = 'deploy/prometheus-rules.yaml';
const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

/** The text of every source file that can declare a metric. */
function sourcesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

describe('the alert rules for Prometheus', () => {
  it('name only metrics that a process exposes', () => {
    const sources = ['runtime', 'http-edge', 'agent', 'cli'].map(sourcesIn).join('\n');
    for (const { alert, expr } of rules)
      for (const [metric] of expr.matchAll(/telltale_\w+/g))
        assert.ok(sources.includes(`'${metric}'`), `${alert}: ${metric}`);
  });

  it('are loaded by the Prometheus of compose.yaml', () => {
    const prometheus = parse(readFileSync('deploy/prometheus.yaml', 'utf8')) as { rule_files: string[] };
    assert.deepEqual(prometheus.rule_files, ['telltale-rules.yaml']);
    assert.match(
      readFileSync('compose.yaml', 'utf8'),
      /\.\/deploy\/prometheus-rules\.yaml:\/etc\/prometheus\/telltale-rules\.yaml:ro/,
    );
  });

  it('start to fire when they should, and not before (promtool)', function () {
    if (spawnSync('promtool', ['--version']).error !== undefined) {
      console.log('      promtool is not installed: the rules are not evaluated');
      this.skip();
    }
    const run = spawnSync('promtool', ['test', 'rules', 'test/fixtures/prometheus/rules.test.yaml'], {
      encoding: 'utf8',
    });
    assert.equal(run.status, 0, run.stdout + run.stderr);
  });

  it('have a chapter each in docs/operations.md', () => {
    const document = readFileSync('docs/operations.md', 'utf8');
    for (const { alert } of rules) assert.ok(document.includes(`\`${alert}\``), alert);
  });
});
