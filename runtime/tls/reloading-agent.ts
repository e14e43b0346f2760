import { Agent, type AgentOptions } from 'node:https';
import type { Logger } from '../logging.js';
import { tlsFiles, type TlsFiles, type TlsPaths } from './tls-files.js';

/** HTTPS connections with the certificates that the files contain now. Throws TLS_FILES_INVALID. */
export function reloadingAgent(paths: TlsPaths, logger: Logger, options: AgentOptions = {}): Agent {
  return new ReloadingAgent(tlsFiles(paths, logger), options);
}

class ReloadingAgent extends Agent {
  constructor(
    private readonly files: () => TlsFiles,
    options: AgentOptions,
  ) {
    // A resumed session would keep the certificate that it started with.
    super({ ...options, maxCachedSessions: 0 });
  }

  override createConnection(
    ...[options, callback]: Parameters<Agent['createConnection']>
  ): ReturnType<Agent['createConnection']> {
    return super.createConnection(
      { ...options, secureContext: this.files().context } as typeof options,
      callback,
    );
  }
}
