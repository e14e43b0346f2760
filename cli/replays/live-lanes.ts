import type { ConsumedTopic } from '../../runtime/kafka/consume/group-lag.js';
import { scoringRequests, scoringRequestsRealtime, scoringResults } from '../../topics/scoring.js';

/** What a replay of scoring gives way to: how old the first unread record of each may be. */
export const liveLanes: readonly (ConsumedTopic & { readonly mostSeconds: number })[] = [
  { groupId: 'telltale.score-metrics-realtime', topic: scoringRequestsRealtime.name, mostSeconds: 0.5 },
  { groupId: 'telltale.score-metrics', topic: scoringRequests.name, mostSeconds: 1 },
  // It stores what the replay writes, too: a replay goes no faster than its results are stored.
  { groupId: 'telltale.sink.scoring-results', topic: scoringResults.name, mostSeconds: 5 },
];
