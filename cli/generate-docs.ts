import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { integrationFile } from '../agent/integration/config/file-form.js';
import { themesFile, topicsFile } from '../processors/score-metrics/semantics/example-files.js';
import { aclsDocument } from './acls/acls-document.js';
import { configurationDocument } from './configuration.js';
import { errorsDocument } from './errors-document.js';

writeFileSync('docs/configuration.md', configurationDocument());
writeFileSync('docs/errors.md', errorsDocument());
writeFileSync('docs/kafka-acls.md', aclsDocument());

/** The forms of files that people write, for their editors. */
const forms = { integration: integrationFile, themes: themesFile, topics: topicsFile };
for (const [name, form] of Object.entries(forms))
  writeFileSync(
    `schemas/${name}.schema.json`,
    JSON.stringify(z.toJSONSchema(form, { io: 'input' }), undefined, 2),
  );
