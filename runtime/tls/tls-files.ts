import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import { reasonOf, TelltaleError } from '../errors.js';
import type { Logger } from '../logging.js';

/** PEM files that secure connections; an empty path if there is none. */
export interface TlsPaths {
  /** The authority that signs the other side's certificate; without one, the authorities that Node.js knows. */
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** The contents of the files, as Node's TLS options. */
interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The files as they are now: certificates are renewed while a process runs. */
export interface TlsFiles {
  readonly material: TlsMaterial;
  readonly context: SecureContext;
}

/**
 * Reads the files, and reads them again whenever one has changed; call the result before each connection.
 * Files that can't be used (a key that is being written, a certificate of another key) are logged once, and
 * the last good files stay in use. Throws TLS_FILES_INVALID if there are no good ones yet.
 */
export function tlsFiles(paths: TlsPaths, logger: Logger): () => TlsFiles {
  const named = Object.values(paths).filter((path): path is string => path !== undefined && path !== '');
  const state = (): string => named.map(stateOf).join('\n');
  let readAt = state();
  let files = read(paths);
  return () => {
    const now = state();
    if (now === readAt) return files;
    readAt = now;
    try {
      files = read(paths);
      logger.info({ event: 'tls-files-reloaded', files: named }, 'TLS files were read again');
    } catch (error) {
      logger.error(
        { event: 'tls-files-unusable', files: named, reason: reasonOf(error) },
        'changed TLS files cannot be used',
      );
    }
    return files;
  };
}

/** A text that differs once the file has changed. */
export function stateOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

function read({ ca, certificate, key }: TlsPaths): TlsFiles {
  const text = (path: string | undefined): string | undefined =>
    path === undefined || path === '' ? undefined : readFileSync(path, 'utf8');
  try {
    const [caText, certText, keyText] = [text(ca), text(certificate), text(key)];
    const material: TlsMaterial = {
      ...(caText !== undefined && { ca: caText }),
      ...(certText !== undefined && { cert: certText }),
      ...(keyText !== undefined && { key: keyText }),
    };
    return { material, context: createSecureContext(material) };
  } catch (cause) {
    throw new TelltaleError('TLS_FILES_INVALID', { reason: reasonOf(cause) }, { cause });
  }
}
