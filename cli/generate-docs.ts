import { writeFileSync } from 'node:fs';
import { configurationDocument } from './configuration.js';

writeFileSync('docs/configuration.md', configurationDocument());
