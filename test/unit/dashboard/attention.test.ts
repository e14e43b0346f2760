import assert from 'node:assert/strict';
import { attentionOf, type Situation } from '../../../dashboard/src/pages/home/attention.js';
import { firstCalls } from '../../../dashboard/src/shared/first-calls.js';
import { flowsOf } from '../../../dashboard/src/pages/pipeline/flows.js';
import { hopsOf } from '../../../dashboard/src/pages/pipeline/hops.js';
import {
  evaluateAgent,
  partsWithoutProblem,
  type Agent,
} from '../../../dashboard/src/shared/agent-status.js';
import {
  adviceOf,
  evaluateStage,
  lagText,
  processesOf,
  type Stage,
} from '../../../dashboard/src/shared/stage-status.js';

const now = Date.parse('2026-01-01T00:00:00.000Z');
const day = 86_400_000;
const nothing: Situation = { unread: [] };

const stageWith = (more: Partial<Stage>): Stage => ({
  ...{ stage: 'sinks/events', topic: 'ingest.events', group: 'g', state: 'running', members: 1 },
  ...{ lag_records: 0, lag_seconds: 0, unknown: null, waits_for: null, appended_last_minute: 0 },
  ...{ dead_letters: 0, errors_last_minute: 0, errors_unknown: null, partitions: [] },
  ...more,
});

const clusterWith = (name: string, status: 'green' | 'yellow' | 'red' | null, score: number | null) => ({
  ...{ cluster_uuid: name, cluster_name: name, status, score, stale: false, reason: null },
  deductions:
    status === 'red'
      ? [
          {
            code: 'disk',
            category: 'availability',
            points: 40,
            points_alone: 40,
            reason: 'The disk is full.',
          },
        ]
      : [],
});

const spoolOf = (bytes: number): Agent['spool'] => ({
  ...{ bytes, limit_bytes: 1_000, unsent_bytes: bytes, oldest_at: null, oldest_unknown: null },
});
const agentWith = (host: string, more: Partial<Agent>): Agent => ({
  ...{ agent_id: host, host, state: 'reporting', version: '0.1.0', is_older_than_server: false },
  ...{ last_seen_at: new Date(now).toISOString(), started_at: new Date(now).toISOString() },
  ...{ spool: spoolOf(1), datasets: [], components: [], clusters: [], connection_tests: [] },
  ...more,
});

describe('what needs attention', () => {
  it('is worst first, with nothing that is well', () => {
    const concerns = attentionOf(
      {
        ...nothing,
        clusters: [
          clusterWith('well', 'green', 100),
          clusterWith('yellow', 'yellow', 90),
          clusterWith('red', 'red', 40),
        ] as never,
        scorers: [{ title: 'hallucination', available: false, unavailable: 'no model' }],
        stages: [stageWith({}), stageWith({ stage: 'sinks/spans', state: 'stopped', lag_records: 7 })],
        failed: { count: 100, isAtLeast: true, error: 'TIMEOUT' },
        letters: [
          { stage: 'events', code: 'ROWS_REJECTED', open: 3 },
          { stage: 'spans', code: 'ROWS_REJECTED', open: 0 },
        ],
        keys: [
          { name: 'soon', state: 'active', expires_at: new Date(now + day).toISOString() },
          { name: 'late', state: 'active', expires_at: new Date(now + 30 * day).toISOString() },
          { name: 'gone', state: 'revoked', expires_at: new Date(now + day).toISOString() },
          { name: 'never', state: 'active', expires_at: null },
        ],
      },
      now,
    );
    assert.deepEqual(
      concerns.map(({ what, status }) => [what, status]),
      [
        ['Cluster red', 'bad'],
        ['Stage sinks/spans', 'bad'],
        ['Cluster yellow', 'warn'],
        ['Prompts that could not be scored', 'warn'],
        ['Dead letters of events', 'warn'],
        ['API key “soon”', 'warn'],
        ['The metric hallucination', 'unknown'],
      ],
    );
    assert.match(concerns[0]?.reason ?? '', /The disk is full\./);
    assert.ok(concerns.every(({ reason, next }) => reason !== '' && next.href.startsWith('/')));
  });

  it('has the full disks of a cluster as a separate concern, whatever else is wrong with it', () => {
    const disk = (code: string) => ({
      ...{ code, category: 'capacity', points: 15, points_alone: 15, reason: 'n1 is 96 % full: free some.' },
    });
    const red = clusterWith('red', 'red', 40);
    const concerns = attentionOf(
      {
        ...nothing,
        clusters: [
          {
            ...red,
            deductions: [
              { ...disk('primaries_unassigned'), points: 40, reason: 'n2 is gone.' },
              disk('disk_flood_stage'),
            ],
          },
          { ...clusterWith('green', 'green', 85), deductions: [disk('disk_high')] },
        ] as never,
      },
      now,
    );
    assert.deepEqual(
      concerns.map(({ what, status }) => [what, status]),
      [
        ['Cluster red', 'bad'],
        ['Disks of cluster red', 'bad'],
        ['Disks of cluster green', 'warn'],
      ],
    );
    assert.match(concerns[0]?.reason ?? '', /n2 is gone/);
    assert.match(concerns[1]?.reason ?? '', /96 % full/);
  });

  it('does not call a concern green', () => {
    const [concern] = attentionOf({ ...nothing, clusters: [clusterWith('busy', 'green', 92)] }, now);
    assert.deepEqual([concern?.status, concern?.word], ['warn', 'score 92']);
  });

  it('names an agent that is silent, or whose spool fills, and none that was stopped', () => {
    const concerns = attentionOf(
      {
        ...nothing,
        agents: [
          agentWith('well', {}),
          agentWith('silent', { state: 'silent' }),
          agentWith('stopped', { state: 'stopped' }),
          agentWith('filling', { spool: spoolOf(600) }),
          agentWith('full', { spool: spoolOf(950) }),
        ],
      },
      now,
    );
    assert.deepEqual(
      concerns.map(({ what, status, word }) => [what, status, word]),
      [
        ['Agent on silent', 'bad', 'silent'],
        ['Agent on full', 'bad', 'spool filling'],
        ['Agent on filling', 'warn', 'spool filling'],
      ],
    );
    assert.match(concerns[2]?.reason ?? '', /60 % of 1,000 B/);
  });

  it('names every part of an agent that does not work', () => {
    const problem = (name: string) => ({ name, problem: 'The port is taken.' });
    const components = [{ name: 'events', problem: null }, problem('traces'), problem('slow logs')];
    const [concern] = attentionOf({ ...nothing, agents: [agentWith('host', { components })] }, now);
    assert.equal(concern?.reason, 'traces: The port is taken.; slow logs: The port is taken.');
  });

  it("distinguishes the problems of parts from an agent's reason with the same text", () => {
    const components = [{ name: 'traces', problem: 'The port is taken.' }];
    const datasets = [
      {
        ...{ name: 'spans', state: 'waiting', unsent_bytes: 1, last_arrival_at: null },
        reason: 'traces: The port is taken.',
      },
    ];
    const isOfParts = (more: Partial<Agent>) => evaluateAgent(agentWith('host', more)).isOfParts ?? false;
    assert.deepEqual([isOfParts({ components }), isOfParts({ components, datasets })], [true, false]);
  });

  it('does not say that the parts of a silent agent are well', () => {
    const components = [{ name: 'traces', problem: null }];
    assert.deepEqual(
      [
        agentWith('a', { components }),
        agentWith('b', { components, state: 'silent' }),
        agentWith('c', {}),
      ].map(partsWithoutProblem),
      ['all are well', 'all were well when it last reported', null],
    );
  });

  it('has keys that expired within the last two weeks, and none that was revoked', () => {
    const ended = (name: string, state: 'active' | 'expired' | 'revoked', days: number) => ({
      ...{ name, state, expires_at: new Date(now - days * day).toISOString() },
    });
    const keys = [
      ended('ended', 'expired', 1),
      ended('just', 'active', 0),
      ended('long ago', 'expired', 15),
      ended('gone', 'revoked', 1),
    ];
    assert.deepEqual(
      attentionOf({ ...nothing, keys }, now).map(({ what, status, reason }) => [
        ...[what, status],
        reason.split('.')[0],
      ]),
      [
        ['API key “ended”', 'bad', 'It has been refused for 1 d'],
        ['API key “just”', 'bad', 'It has been refused for 0 ms'],
      ],
    );
  });

  it('says what could not be read, and never that all is well', () => {
    const unread = [{ what: 'The pipeline', reason: 'No Kafka broker answers.', href: '/pipeline' }];
    const [concern] = attentionOf({ unread }, now);
    assert.equal(concern?.status, 'unknown');
    assert.equal(concern.reason, 'No Kafka broker answers.');
  });

  it('has the reason of an outdated score, whatever its colour was', () => {
    const stale = { ...clusterWith('old', 'green', 100), stale: true, reason: 'The agent is silent.' };
    const [concern] = attentionOf({ ...nothing, clusters: [stale] }, now);
    assert.deepEqual([concern?.status, concern?.reason], ['unknown', 'The agent is silent.']);
    const unscored = { ...clusterWith('red', 'red', null), stale: true, reason: 'The agent is silent.' };
    assert.equal(
      attentionOf({ ...nothing, clusters: [unscored] as never }, now)[0]?.reason,
      'The agent is silent. The disk is full.',
    );
  });
});

describe('a stage', () => {
  const evaluated: readonly (readonly [string, Partial<Stage>, string])[] = [
    ['that has read everything', {}, 'ok'],
    ['whose lag is not known', { lag_records: null, lag_seconds: null }, 'unknown'],
    ['that is a minute behind', { lag_records: 5, lag_seconds: 61 }, 'warn'],
    ['that is five minutes behind', { lag_records: 5, lag_seconds: 300 }, 'bad'],
    ['that is stopped with work to do', { state: 'stopped', lag_records: 5, lag_seconds: 1 }, 'bad'],
    ['that is stopped without work', { state: 'stopped' }, 'warn'],
    ['that waits', { lag_records: 1, lag_seconds: 1, waits_for: 'ClickHouse' }, 'warn'],
  ];
  for (const [which, stage, status] of evaluated)
    it(`${which} is ${status}`, () => {
      assert.equal(evaluateStage(stageWith(stage)).status, status);
    });

  it('that is not well has a reason and something to do', () => {
    assert.equal(adviceOf(stageWith({})), undefined);
    for (const [which, stage, status] of evaluated)
      if (status !== 'ok') assert.notEqual(adviceOf(stageWith(stage)) ?? '', '', which);
    assert.match(adviceOf(stageWith({ lag_records: 5, lag_seconds: 400 })) ?? '', /start another process/);
    assert.equal(adviceOf(stageWith({ lag_records: 5, lag_seconds: 400, waits_for: 'Kafka' })), 'Kafka');
  });

  it('says what is unknown, and never 0 for it', () => {
    assert.equal(
      lagText(stageWith({ lag_records: null, lag_seconds: null })),
      'unknown records, unknown time behind',
    );
    assert.equal(
      lagText(stageWith({ lag_records: 1_200, lag_seconds: 34.5 })),
      '1,200 records, 34.5 s behind',
    );
  });

  it('has its processes, each with what it reads and what waits there', () => {
    const partition = { lag_seconds: 0, unknown: null };
    const partitions = [
      { ...partition, partition: 0, process: 'two', lag_records: 3 },
      { ...partition, partition: 1, process: 'one', lag_records: null },
      { ...partition, partition: 2, process: 'two', lag_records: 4 },
      { ...partition, partition: 3, process: null, lag_records: 9 },
    ];
    assert.deepEqual(processesOf({ partitions }), [
      { id: 'one', partitions: 1, records: null },
      { id: 'two', partitions: 2, records: 7 },
    ]);
  });

  it('has a place in the diagram, even if no flow is known for its topic', () => {
    const stages = [
      stageWith({ stage: 'processors/new', topic: 'weather.rain' }),
      stageWith({ stage: 'processors/score-metrics', topic: 'scoring.requests' }),
      stageWith({ stage: 'sinks/scoring-results', topic: 'scoring.results' }),
    ];
    assert.deepEqual(
      flowsOf(stages).map(({ name, columns }) => [name, columns.map((column) => column.name)]),
      [
        ['Prompts', ['Processors', 'Sinks']],
        ['Others', ['Processors']],
      ],
    );
  });
});

describe('the hops of a record', () => {
  const nowhere = { topic: null, partition: null, offset: null, table: null, detail: null };

  it('have the time between them, which is unknown if either time is unknown', () => {
    const hops = hopsOf([
      { hop: 'accepted', at: '2026-01-01T00:00:00.000Z', ...nowhere },
      { hop: 'appended', at: '2026-01-01T00:00:00.250Z', ...nowhere, topic: 't', partition: 0, offset: 7 },
      { hop: 'scored', at: null, ...nowhere },
      { hop: 'stored', at: '2026-01-01T00:00:01.000Z', ...nowhere, table: 'telltale.events' },
    ]);
    assert.deepEqual(
      hops.map(({ afterMs, place }) => [afterMs, place]),
      [
        [null, ''],
        [250, 't/0/7'],
        [null, ''],
        [null, 'telltale.events'],
      ],
    );
  });
});

describe('the first calls', () => {
  it('have the key filled in, and are whole commands', () => {
    const calls = firstCalls({
      ...{ origin: 'http://127.0.0.1:8080', key: 'tt_key_secret' },
      ...{ traceId: '1'.repeat(32), spanId: '2'.repeat(16) },
    });
    assert.equal(calls.length, 3);
    assert.ok(calls.every(({ command }) => command.startsWith('curl -sS ')));
    assert.ok(calls.slice(0, 2).every(({ command }) => command.includes('tt_key_secret')));
  });
});
