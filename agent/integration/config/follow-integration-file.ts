import type { LiveConfig } from '../../live-config.js';
import { seenNow, watchForChanges, type FileSeen } from '../../settings/watched-file.js';

/**
 * Calls back with the path when the integrations file has changed since it was read, and when the settings
 * name another file.
 */
export function followIntegrationFile(
  config: LiveConfig,
  seen: FileSeen,
  onChange: (path: string) => void,
): () => void {
  let path = seen.path;
  const watch = (since: FileSeen): (() => void) => watchForChanges(since, () => onChange(path));
  let unwatch = watch(seen);
  const follow = ({ AGENT_INTEGRATION_FILE: named }: { readonly AGENT_INTEGRATION_FILE: string }): void => {
    if (named === path) return;
    unwatch();
    path = named;
    unwatch = watch(seenNow(path));
    onChange(path);
  };
  const forget = config.onChange(follow);
  follow(config.current());
  return () => {
    forget();
    unwatch();
  };
}
