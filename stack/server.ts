/** A server of the local stack: a process of our own on a loopback port, with its data in a folder of ours. */
export interface Server {
  readonly name: string;
  /** Where clients reach it; the same after every restart. */
  readonly url: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** Resolves once it serves. Rejects with PORT_BUSY, DOWNLOAD_FAILED, TOOL_MISSING or SERVER_START_FAILED. */
  start(): Promise<void>;
  /** Asks it to end, and kills it if it does not. */
  stop(): Promise<void>;
  /** Like a power cut; `start` must find its data again. */
  kill9(): Promise<void>;
}

/** A user of a server. */
export interface Account {
  readonly user: string;
  readonly password: string;
}

/** Reports progress in words, for a terminal. */
export type Progress = (line: string) => void;

export interface ServerOptions {
  readonly port: number;
  /** The variable that changes the port, for the message when it is taken. */
  readonly portVariable: string;
  /** Data of this server alone. */
  readonly dataFolder: string;
  /** The folder of `<name>.log` and `<name>.pid`. */
  readonly logFolder: string;
  readonly progress?: Progress;
}
