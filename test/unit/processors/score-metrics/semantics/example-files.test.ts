import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  readThemes,
  readTopics,
  themesFile,
  topicsFile,
} from '../../../../../processors/score-metrics/semantics/example-files.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

describe('themes and topics', () => {
  const folder = temporaryFolder();

  it('are built in: two themes with 40 examples or more, six topics', () => {
    const themes = readThemes({});
    assert.deepEqual(
      themes.map(({ name, of }) => [name, of]),
      [
        ['jailbreak', 'prompt'],
        ['refusal', 'response'],
      ],
    );
    for (const { examples } of themes) {
      assert.ok(examples.length >= 40);
      assert.equal(new Set(examples).size, examples.length);
    }
    assert.deepEqual(
      readTopics({}).map(({ name }) => name),
      ['law', 'finance', 'medical', 'education', 'politics', 'support'],
    );
  });

  it('are described by the JSON Schemas of the project', () => {
    for (const [name, form] of [
      ['themes', themesFile],
      ['topics', topicsFile],
    ] as const) {
      const kept = JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')) as unknown;
      assert.deepEqual(kept, JSON.parse(JSON.stringify(z.toJSONSchema(form, { io: 'input' }))));
    }
  });

  it('of a file of the user are refused with the place of each mistake', () => {
    const file = join(folder(), 'themes.json');
    writeFileSync(file, '{"themes": {"rude": {"of": "answer", "examples": []}}}');
    assert.throws(
      () => readThemes({ THEMES_FILE: file }),
      /THEMES_FILE .*themes\.rude\.of: [^]*themes\.rude\.examples: /,
    );
    assert.throws(() => readTopics({ TOPICS_FILE: `${file}.none` }), /TOPICS_FILE .*ENOENT/);
  });
});
