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

  it('names every topic of the catalogue, written by somebody and read by somebody', () => {
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

  it('has one stage that consumes a topic, so that a dead letter that goes back reaches no other', () => {
    const consuming = pipeline.filter(({ role }) => role === 'processors' || role === 'sinks');
    for (const topic of consumedTopics)
      assert.equal(consuming.filter(({ reads }) => reads.includes(topic)).length, 1, topic.name);
  });
});
