import type { AgentConfig } from './config.js';

/** The configuration as it is now: its file may change while the agent runs. */
export interface LiveConfig {
  current(): AgentConfig;
  /** Called after each change with the new configuration; returns what ends it. */
  onChange(listener: (config: AgentConfig) => void): () => void;
}

/** A configuration that somebody sets anew. */
export interface SettableConfig extends LiveConfig {
  set(config: AgentConfig): void;
}

export function liveConfig(initial: AgentConfig): SettableConfig {
  const listeners = new Set<(config: AgentConfig) => void>();
  let config = initial;
  return {
    current: () => config,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(changed) {
      config = changed;
      for (const listener of listeners) listener(changed);
    },
  };
}
