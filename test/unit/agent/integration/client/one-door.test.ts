import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

function sourcesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
}

describe('the way from the agent to a search cluster', () => {
  it('is one client: nothing else that deals with clusters can open a connection', () => {
    const dealing = ['collectors', 'integration', 'slowlogs']
      .flatMap((folder) => sourcesIn(join('agent', folder)))
      .filter((path) => !path.startsWith(join('agent', 'integration', 'client')));
    assert.ok(dealing.length > 5);
    for (const path of dealing) {
      const source = readFileSync(path, 'utf8');
      assert.doesNotMatch(
        source,
        /from '(node:)?(https?|http2|net|tls|dgram|child_process)'|undici|@elastic\//,
        path,
      );
      assert.doesNotMatch(source, /\bfetch\(|\bWebSocket\(|\bimport\((?!'\.)/, path);
    }
  });
});
