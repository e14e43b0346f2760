import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { parse } from 'yaml';
import { addCommands } from '../../../cli/commands.js';
import { configurationSections } from '../../../cli/configuration.js';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, service]) => service.build !== undefined);
/** Apicurio's registry: the digest of its version is published only in the image registry. */
const withoutDigest: ReadonlySet<string> = new Set(['registry']);
const isJob = (service: Service): boolean => service.restart === 'no';

describe('compose.yaml', () => {
  const program = new Command();
  before(() => addCommands(program));

  for (const [name, { command = [] }] of ours) {
    it(`runs a command that exists for ${name}`, () => {
      let at: Command | undefined = program;
      for (const word of command) at = at?.commands.find((known) => known.name() === word);
      assert.ok(at !== undefined && at !== program, `telltale ${command.join(' ')}`);
    });
  }

  it('sets only variables that the processes read', () => {
    const known = new Set(configurationSections.flatMap(({ section }) => Object.keys(section.shape)));
    for (const [name, { environment = {} }] of ours)
      for (const variable of Object.keys(environment)) assert.ok(known.has(variable), `${name}: ${variable}`);
  });

  it('has every role: edge, processors and sinks', () => {
    const roles = ours.filter(([, service]) => !isJob(service)).map(([name]) => name);
    assert.deepEqual(roles.sort(), ['edge', 'processors', 'sinks']);
  });

  it('pins every image to a full version, and third-party images to a digest', () => {
    const digest = /@sha256:[0-9a-f]{64}$/;
    for (const [name, { image = '', build }] of services) {
      assert.match(image, /:v?\d+\.\d+\.\d+(\.\d+)?(@|$)/, name);
      if (build === undefined && !withoutDigest.has(name)) assert.match(image, digest, name);
    }
    const bases = readFileSync('Dockerfile', 'utf8').match(/^FROM \S+/gm) ?? [];
    assert.equal(bases.length, 2);
    for (const base of bases) {
      assert.match(base, /:\d+\.\d+\.\d+-/);
      assert.match(base, digest);
    }
  });

  it('lets nobody into Grafana without a password', () => {
    const { environment = {} } = compose.services['grafana'] ?? {};
    assert.equal(environment['GF_AUTH_ANONYMOUS_ENABLED'], 'false');
    assert.match(String(environment['GF_SECURITY_ADMIN_PASSWORD']), /^\$\{GRAFANA_PASSWORD:/);
  });

  it('puts the licence and the notices into the image', () => {
    const image =
      readFileSync('Dockerfile', 'utf8')
        .split(/^FROM /m)
        .at(-1) ?? '';
    for (const file of ['LICENSE', 'NOTICE']) assert.match(image, new RegExp(`^COPY .*/${file}\\b`, 'm'));
  });

  it('has a health check for every service that is not a job', () => {
    for (const [name, service] of services)
      assert.equal(service.healthcheck === undefined, isJob(service), name);
  });

  it('publishes ports on loopback only', () => {
    for (const [name, { ports = [] }] of services)
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:/, name);
  });

  it('depends only on services that exist, and mounts only files and volumes that exist', () => {
    for (const [name, { depends_on: needed = {}, volumes = [] }] of services) {
      for (const other of Object.keys(needed)) assert.ok(other in compose.services, `${name}: ${other}`);
      for (const volume of volumes) {
        const source = volume.split(':')[0] ?? '';
        assert.ok(source.startsWith('./') ? existsSync(source) : source in compose.volumes, volume);
      }
    }
  });
});
