import assert from 'node:assert/strict';
import { duration, lagText } from '../../../../cli/lag/lag-text.js';
import type { StageLag } from '../../../../cli/lag/pipeline-lag.js';

const stage = (changes: Partial<StageLag>): StageLag => ({
  stage: 'sinks/events',
  topic: 'ingest.events',
  group: 'telltale.sink.events',
  state: 'running',
  members: 1,
  lag_records: 0,
  lag_seconds: 0,
  unknown: null,
  waits_for: null,
  appended_last_minute: 0,
  dead_letters: 0,
  partitions: [{ partition: 0, process: 'p', lag_records: 0, lag_seconds: 0, unknown: null }],
  ...changes,
});

describe('the text of `telltale lag`', () => {
  it('says a time in the unit that a person would choose', () => {
    assert.deepEqual([null, 0, 0.44, 34.5, 119, 180, 9_000, 259_200].map(duration), [
      'unknown',
      '0 s',
      '0.4 s',
      '35 s',
      '119 s',
      '3 min',
      '2.5 h',
      '3.0 d',
    ]);
  });

  it('shows the partitions that lag, and those of which something is unknown', () => {
    const partitions = [
      { partition: 0, process: 'p', lag_records: 0, lag_seconds: 0, unknown: null },
      { partition: 1, process: 'p', lag_records: 7, lag_seconds: 30, unknown: null },
      {
        partition: 2,
        process: 'p',
        lag_records: null,
        lag_seconds: null,
        unknown: 'a transaction has not ended yet',
      },
    ];
    const text = lagText({ at: 'now', stages: [stage({ partitions, lag_records: null })] }, false);
    assert.doesNotMatch(text, /ingest\.events\/0/);
    assert.match(text, /ingest\.events\/1 +30 s +7\n/);
    assert.match(text, /ingest\.events\/2 +unknown +unknown +a transaction has not ended yet/);
    assert.match(lagText({ at: 'now', stages: [stage({ partitions })] }, true), /ingest\.events\/0/);
  });

  it('says what a stage waits for', () => {
    const text = lagText({ at: 'now', stages: [stage({ waits_for: 'ClickHouse: away' })] }, false);
    assert.match(text, /sinks\/events .* ClickHouse: away$/);
  });
});
