import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { consumedTopics, pipeline } from '../../../cli/pipeline.js';
import { mermaid } from '../../../cli/topology.js';
import { catalogue } from '../../../topics/catalogue.js';

describe('topology', () => {
  it('is what docs/architecture.md shows', () => {
    const document = readFileSync('docs/architecture.md', 'utf8');
    const drawn = /```mermaid\n([\s\S]*?)\n```/.exec(document)?.[1];
    assert.equal(
      drawn,
      mermaid(pipeline),
      'paste the output of `telltale topology` into docs/architecture.md',
    );
  });

  it('has a stage that writes and a stage that reads for every topic of the catalogue', () => {
    for (const topic of catalogue) {
      assert.ok(
        pipeline.some((stage) => stage.writes.includes(topic)),
        `nobody writes ${topic.name}`,
      );
      assert.ok(
        pipeline.some((stage) => stage.reads.includes(topic)),
        `nobody reads ${topic.name}`,
      );
    }
  });

  it('has one consuming stage per topic, so that a replayed dead letter reaches no other stage', () => {
    const consuming = pipeline.filter(({ role }) => role === 'processors' || role === 'sinks');
    for (const topic of consumedTopics)
      assert.equal(consuming.filter(({ reads }) => reads.includes(topic)).length, 1, topic.name);
  });
});
