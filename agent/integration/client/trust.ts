import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { reasonOf } from '../../../runtime/errors.js';
import { stateOf } from '../../../runtime/tls/tls-files.js';
import type { Integration } from '../config/integrations.js';

/** The authorities that a cluster's certificate is checked against. */
export interface Trust {
  readonly verify: boolean;
  /** PEM texts. */
  readonly authorities: readonly string[];
  /** What could not be applied as configured, in words; undefined if everything was applied. */
  readonly diagnostic: string | undefined;
}

/** The trust of a running agent: certificate files are renewed while it runs. */
export interface LiveTrust {
  /** As it is now, for a connection that is about to be opened: the same object until a file has changed. */
  now(): Promise<Trust>;
  /** The diagnostic of what was read last. */
  diagnostic(): string | undefined;
}

type Configured = Pick<Integration, 'certificateAuthority' | 'verifyCertificate'>;

/** Reads a text file; rejects if it can't. */
export type ReadText = (path: string) => Promise<string>;

const readText: ReadText = (path) => readFile(path, 'utf8');

/** Where common systems keep the certificates that they trust. */
const systemBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
];

/**
 * The CA as configured, inline or in a file (relative to integration.json's folder). If it can't be used, the
 * system's trust store is used and a diagnostic says so: a missing file must not stop the monitoring of a
 * cluster whose certificate the system might know. If a CA could be used `before`, that one stays in use,
 * because the new file might still be being written.
 */
export async function trustOf(
  { certificateAuthority, verifyCertificate }: Configured,
  folder: string,
  read: ReadText = readText,
  before?: Trust,
): Promise<Trust> {
  if (!verifyCertificate) {
    return {
      verify: false,
      authorities: [],
      diagnostic: 'verifyCertificate is false: any certificate is accepted',
    };
  }
  if (certificateAuthority === '')
    return { verify: true, authorities: await systemStore(read), diagnostic: undefined };
  try {
    const pem = await pemOf(certificateAuthority, folder, read);
    new X509Certificate(pem); // throws if it is none
    return { verify: true, authorities: [pem], diagnostic: undefined };
  } catch (error) {
    const what = isPem(certificateAuthority) ? 'tls.ca (inline)' : `tls.ca (${named(certificateAuthority)})`;
    // The reason why a file can't be read contains its path, which might be base64 of a certificate that was
    // put there by mistake.
    const why = `${what} could not be used (${reasonOf(error).slice(0, 300)})`;
    if (before !== undefined) return { ...before, diagnostic: `${why}: the previous one stays in use` };
    const authorities = await systemStore(read);
    return { verify: true, authorities, diagnostic: `${why}: the system's trust store is used instead` };
  }
}

export function liveTrust(configured: Configured, folder: string): LiveTrust {
  const { certificateAuthority: ca } = configured;
  const files = ca === '' || isPem(ca) ? systemBundles : [pathOf(ca, folder), ...systemBundles];
  let readAt: string | undefined;
  let trust: Trust | undefined;
  let lastGood: Trust | undefined;
  return {
    async now() {
      const state = files.map(stateNow).join('\n');
      if (trust !== undefined && state === readAt) return trust;
      trust = await trustOf(configured, folder, readText, lastGood);
      if (trust.diagnostic === undefined) lastGood = trust;
      readAt = state;
      return trust;
    },
    diagnostic: () => trust?.diagnostic,
  };
}

function stateNow(path: string): string {
  try {
    return stateOf(path);
  } catch (error) {
    return reasonOf(error);
  }
}

const named = (path: string): string => (path.length <= 300 ? path : `${path.slice(0, 300)}…`);

const isPem = (text: string): boolean => text.includes('-----BEGIN ');

function pemOf(ca: string, folder: string, read: ReadText): Promise<string> {
  // PEM that was pasted into JSON by hand often has its line ends escaped twice.
  if (isPem(ca)) return Promise.resolve(ca.replaceAll('\\n', '\n'));
  return read(pathOf(ca, folder));
}

const pathOf = (ca: string, folder: string): string => (isAbsolute(ca) ? ca : join(folder, ca));

async function systemStore(read: ReadText): Promise<string[]> {
  for (const path of systemBundles) {
    const bundle = await read(path).catch(() => '');
    if (bundle !== '') return [...rootCertificates, bundle];
  }
  return [...rootCertificates];
}
