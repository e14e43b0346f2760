import type { LiveConfig } from '../../live-config.js';
import { seenNow, watchForChanges, type FileSeen } from '../../settings/watched-file.js';

/**
 * Calls back with its path when the file of integrations is not as it was seen before its reading any more, and when
 * the settings name another.
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
