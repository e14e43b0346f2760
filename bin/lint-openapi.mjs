// `node bin/lint-openapi.mjs`: runs Redocly and Spectral on the OpenAPI documents. Both rulesets are files
// where their command-line tools and editors also find them. Anything that either tool reports is a failure.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lint, loadConfig } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { parse } from 'yaml';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const documents = ['edge', 'agent'].map((name) => `schemas/openapi/${name}.json`);
const reports = [...(await byRedocly()), ...(await bySpectral())];
for (const line of reports) console.error(line);
process.exitCode = reports.length === 0 ? 0 : 1;

async function byRedocly() {
  const config = await loadConfig({ configPath: 'redocly.yaml' });
  const found = await Promise.all(
    documents.map(async (ref) => (await lint({ ref, config })).map((problem) => ({ ref, ...problem }))),
  );
  return found
    .flat()
    .map(
      ({ ref, ruleId, message, location }) => `${ref}${location[0]?.pointer}: ${message} (redocly ${ruleId})`,
    );
}

async function bySpectral() {
  const { rules } = parse(readFileSync('.spectral.yaml', 'utf8'));
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [oas], rules });
  const reports = [];
  for (const ref of documents)
    for (const { code, message, path } of await linter.run(JSON.parse(readFileSync(ref, 'utf8'))))
      reports.push(`${ref}#/${path.join('/')}: ${message} (spectral ${code})`);
  return reports;
}
