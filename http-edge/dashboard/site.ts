import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

export type SiteEncoding = 'br' | 'gzip' | 'identity';

/** One file of the built dashboard, in every encoding in which it is sent. */
export interface SiteFile {
  readonly mediaType: string;
  readonly identity: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

/** The built dashboard: the page, and the files that the page loads, by name. */
export interface Site {
  readonly page: SiteFile;
  readonly assets: ReadonlyMap<string, SiteFile>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Where the build puts the dashboard. */
const builtSite = new URL('../../ui/', import.meta.url);

/** Reads the whole site into memory, so that requests read no files. Undefined if it has not been built. */
export function readSite(folder: URL = builtSite): Site | undefined {
  const page = new URL('index.html', folder);
  if (!existsSync(page)) return undefined;
  const assets = new URL('assets/', folder);
  const names = readdirSync(fileURLToPath(assets)).filter((name) => extname(name) in mediaTypes);
  return {
    page: readFile(page),
    assets: new Map(names.map((name) => [name, readFile(new URL(name, assets))])),
  };
}

function readFile(path: URL): SiteFile {
  return {
    mediaType: mediaTypes[extname(path.pathname)] ?? 'application/octet-stream',
    identity: readFileSync(path),
    br: readIfThere(new URL(`${path.href}.br`)),
    gzip: readIfThere(new URL(`${path.href}.gz`)),
  };
}

const readIfThere = (path: URL): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined);

/** The smallest encoding that the client accepts, according to `Accept-Encoding`. */
export function encodingFor(file: SiteFile, acceptEncoding: string | undefined): SiteEncoding {
  const accepted = (acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/))
    .filter(([, weight]) => weight === undefined || Number(weight) > 0)
    .map(([name]) => name);
  if (file.br !== undefined && accepted.includes('br')) return 'br';
  return file.gzip !== undefined && accepted.includes('gzip') ? 'gzip' : 'identity';
}
