/** The stage timestamps of a result, in their order. */
export const stageTimestamps = [
  'accepted_at',
  'appended_at',
  'taken_at',
  'scored_at',
  'result_appended_at',
  'inserted_at',
] as const;

/** The hops of a request, each between two timestamps of its result. The last one spans all others. */
export const hops = [
  { hop: 'append', from: 'accepted_at', to: 'appended_at' },
  { hop: 'wait', from: 'appended_at', to: 'taken_at' },
  { hop: 'score', from: 'taken_at', to: 'scored_at' },
  { hop: 'append_result', from: 'scored_at', to: 'result_appended_at' },
  { hop: 'store', from: 'result_appended_at', to: 'inserted_at' },
  { hop: 'all', from: 'accepted_at', to: 'inserted_at' },
] as const;
