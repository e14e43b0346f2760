import { writeFileSync } from 'node:fs';
import { aclsDocument } from './acls/acls-document.js';
import { configurationDocument } from './configuration.js';
import { errorsDocument } from './errors-document.js';

writeFileSync('docs/configuration.md', configurationDocument());
writeFileSync('docs/errors.md', errorsDocument());
writeFileSync('docs/kafka-acls.md', aclsDocument());
