import type { AgentConfig } from './config.js';

/** The present configuration: its file can change while the agent runs. */
export interface LiveConfig {
  current(): AgentConfig;
  /** Calls the listener after each change with the new configuration; returns the function that removes it. */
  onChange(listener: (config: AgentConfig) => void): () => void;
}

/** A configuration that can be replaced. */
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
