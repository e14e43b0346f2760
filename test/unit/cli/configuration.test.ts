import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { configurationDocument, configurationSections } from '../../../cli/configuration.js';
import { readConfig } from '../../../runtime/config.js';

const folded = (markdown: string): string => markdown.replace(/[ -]+/g, ' ').replace(/\s*\n\s*/g, '\n');

describe('configuration', () => {
  it('is documented as the schemas say', () => {
    assert.equal(
      folded(readFileSync('docs/configuration.md', 'utf8')).trim(),
      folded(configurationDocument()).trim(),
      'run `npm run generate`',
    );
  });

  it('explains every variable', () => {
    for (const { title, section } of configurationSections) {
      const shape: Readonly<Record<string, { readonly description?: string | undefined }>> = section.shape;
      for (const [name, property] of Object.entries(shape)) {
        assert.ok(property.description, `${name} (${title}) has no description`);
      }
    }
  });

  it('has a working default for everything', () => {
    for (const { section } of configurationSections) assert.doesNotThrow(() => readConfig(section, {}));
  });

  it('names an invalid variable, and treats an empty value as unset', () => {
    const kafka = configurationSections.find(({ title }) => title.startsWith('Kafka'));
    assert.ok(kafka);
    assert.throws(
      () => readConfig(kafka.section, { KAFKA_TOPIC_REPLICATION: '-1' }),
      /KAFKA_TOPIC_REPLICATION/,
    );
    assert.doesNotThrow(() => readConfig(kafka.section, { KAFKA_TOPIC_REPLICATION: '' }));
  });
});
