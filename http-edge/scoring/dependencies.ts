import type { Admission, WorkGate } from '../http/admission.js';
import type { EdgePorts } from '../ports.js';

/** What a real-time call needs, whichever gate admits its caller. */
export interface CallDependencies extends Omit<HotDependencies, 'admission'> {
  readonly admission: WorkGate;
}

/** What the hot routes need. */
export interface HotDependencies {
  readonly ports: Pick<EdgePorts, 'requestLog' | 'taskStatusView' | 'realtimeReplies'>;
  readonly admission: Admission;
  readonly bodyLimit: number;
  readonly textLimit: number;
  /** How long a real-time call waits at most, milliseconds. */
  readonly deadlineMs: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** A new UUID. */
  readonly newId: () => string;
}
