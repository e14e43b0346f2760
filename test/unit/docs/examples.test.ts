import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { parseIntegrations } from '../../../agent/integration/config/integrations.js';
import { readSettings } from '../../../agent/settings/read-settings.js';
import { themesFile } from '../../../processors/score-metrics/semantics/example-files.js';

type Documented = Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: object }>>>>;

const read = (name: string): string => readFileSync(`examples/${name}`, 'utf8');

/** The OpenAPI documents by the variable with which an example names the server. */
const documents: Readonly<Record<string, string>> = { TELLTALE_URL: 'edge', TELLTALE_AGENT_URL: 'agent' };
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const paths = new Map(
  Object.values(documents).map((name) => {
    const document = JSON.parse(readFileSync(`schemas/openapi/${name}.json`, 'utf8')) as {
      paths: Documented;
    };
    ajv.addSchema(document, name);
    return [name, document.paths];
  }),
);

const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Why this request does not match the documents; undefined if it does. */
function problemOf(command: string): string | undefined {
  const [, variable = '', path = ''] = /"\$(\w+?_URL)([^"?]*)/.exec(command) ?? [];
  const body = /-d '([^']*)'/.exec(command)?.[1];
  const method = (/-X (\w+)/.exec(command)?.[1] ?? (body === undefined ? 'GET' : 'POST')).toLowerCase();
  const name = documents[variable] ?? assert.fail(`no server: ${command}`);
  const known = paths.get(name) ?? {};
  const pattern = Object.keys(known)
    .filter((candidate) => new RegExp(`^${candidate.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .find((candidate) => known[candidate]?.[method] !== undefined);
  if (pattern === undefined) return `${method} ${path} is not in the document`;
  if (body === undefined) return undefined;
  const at = ['paths', pattern, method, 'requestBody', 'content', 'application/json', 'schema'];
  const isValid = ajv.validate({ $ref: `${name}#/${at.map(escaped).join('/')}` }, JSON.parse(body));
  return isValid ? undefined : `${path}: ${ajv.errorsText()}`;
}

describe('the examples', () => {
  it('of the agent are settings that it takes', () => {
    const path = 'agent.json';
    const reading = readSettings({}, { path, text: read(path) });
    assert.deepEqual(reading.kind === 'problems' ? reading.problems : [], []);
  });

  it('of an integration are taken without a warning', () => {
    const { entries, warnings } = parseIntegrations(read('integration.json'));
    assert.deepEqual([entries.length, warnings.filter((warning) => !warning.includes('$schema'))], [1, []]);
  });

  it('of themes have the form of a themes file', () => {
    assert.equal(themesFile.safeParse(JSON.parse(read('themes.json'))).success, true);
  });

  for (const file of readdirSync('examples').filter((name) => name.endsWith('.sh')))
    it(`of ${file} are requests of the OpenAPI documents`, () => {
      const commands = read(file)
        .replaceAll('\\\n', ' ')
        .replaceAll(`'"$now"'`, '1768478400')
        .split('\n')
        .filter((line) => /^(\w+=\$\()?curl /.test(line));
      assert.notEqual(commands.length, 0);
      assert.deepEqual(
        commands.map(problemOf).filter((problem) => problem !== undefined),
        [],
      );
    });
});
