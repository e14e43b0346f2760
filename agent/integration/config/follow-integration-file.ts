import type { LiveConfig } from '../../live-config.js';
import { watchForChanges } from '../../settings/watched-file.js';

/** Calls back with its path when the file of integrations has changed, and when the settings name another. */
export function followIntegrationFile(config: LiveConfig, onChange: (path: string) => void): () => void {
  let path = config.current().AGENT_INTEGRATION_FILE;
  const watch = (): (() => void) => watchForChanges(path, () => onChange(path));
  let unwatch = watch();
  const forget = config.onChange(({ AGENT_INTEGRATION_FILE: named }) => {
    if (named === path) return;
    unwatch();
    path = named;
    unwatch = watch();
    onChange(path);
  });
  return () => {
    forget();
    unwatch();
  };
}
