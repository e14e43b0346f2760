import type { Codec } from '../../runtime/codec.js';
import { readEvent, type ReportedEvent } from '../../schemas/custom-event.js';
import type { CustomEvent } from '../../schemas/generated/custom-event.js';
import { eventRecord, toCustomEvent } from '../events/event-record.js';
import type { AgentDataset } from './dataset.js';

/** Custom events from agents: the fields of `POST {agent_url}/events`, and when the agent took them. */
export function eventsDataset(codec: Codec<CustomEvent>): AgentDataset<ReportedEvent> {
  return {
    name: 'events',
    parse(item, at) {
      if (typeof item !== 'object' || item === null || Array.isArray(item))
        return { reason: 'An event must be a JSON object.' };
      const reading = readEvent(item, { at, defaultStep: true });
      if (reading.kind === 'event') return { item: reading.event };
      return { reason: reading.faults.map(({ detail }) => detail).join(' ') };
    },
    records: (event, { workspace, keyId, receivedAt }) => [
      eventRecord(codec, toCustomEvent(event, { workspace, keyId, receivedAt, source: 'agent' })),
    ],
  };
}
