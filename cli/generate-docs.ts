import { writeFileSync } from 'node:fs';
import { configurationDocument } from './configuration.js';
import { errorsDocument } from './errors-document.js';

writeFileSync('docs/configuration.md', configurationDocument());
writeFileSync('docs/errors.md', errorsDocument());
