import assert from 'node:assert/strict';
import { startErrorReports } from '../../../../cli/processes/report-errors.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { createMetrics, type Metrics } from '../../../../runtime/metrics.js';
import { processorMetrics } from '../../../../runtime/processor-metrics.js';
import { createHttpMetrics } from '../../../../runtime/http/http-metrics.js';
import { sinkMetrics } from '../../../../runtime/sink/sink-metrics.js';
import type { ProcessReport } from '../../../../schemas/generated/process-report.js';
import { until } from '../../../support/until.js';
import type { ReportingRole } from '../../../../cli/processes/counted-errors.js';

describe('the errors that a process reports', () => {
  const stops: (() => unknown)[] = [];
  afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

  /** The reports so far; each append fails while `isAway` is true. */
  const reporting = (role: ReportingRole, metrics: Metrics, isAway = () => false): ProcessReport[] => {
    const reports: ProcessReport[] = [];
    startErrorReports(
      {
        metrics,
        logger: silentLogger,
        lifecycle: {
          register: (started) => void stops.push(() => started.stop()),
          stop: () => Promise.resolve(),
        },
      },
      {
        ...{ role, processId: 'p', everyMs: 2, reportsPerMinute: 3 },
        appender: { append: () => (isAway() ? Promise.reject(new Error('away')) : Promise.resolve()) },
        codec: {
          encode: (report) => (reports.push(report), Buffer.alloc(0)),
          decode: () => Promise.reject(new Error('not used')),
        },
      },
    );
    return reports;
  };
  const errorsIn = async (reports: readonly ProcessReport[]): Promise<Record<string, number>> => {
    await until('it has reported', () => Promise.resolve(reports.length > 0));
    return reports[0]?.errors ?? {};
  };

  it("are an edge's answers of 500 and above, except that it is not ready", async () => {
    const metrics = createMetrics();
    for (const pattern of ['/x', '/readyz'])
      for (const status of [200, 404, 429, 500, 503]) {
        const route = createHttpMetrics(metrics).forRoute('GET', pattern);
        route.started();
        route.finished(status, 0, 0, 0);
      }
    assert.deepEqual(await errorsIn(reporting('edge', metrics)), { 'http-edge': 2 });
  });

  it('are failed records, failed transactions, waits and lost workers of a processor, and 0 of the others', async () => {
    const metrics = createMetrics();
    const processor = processorMetrics(metrics, 'score-metrics');
    processor.count(
      new Map([
        ['emit', 10],
        ['dead-letter', 2],
      ]),
    );
    processor.transaction('committed');
    processor.transaction('failed');
    processor.retry();
    metrics
      .counter('telltale_pool_lost_workers_total', 'Of this test.', ['pool', 'cause'])
      .inc({ pool: 'realtime', cause: 'crash' });
    const errors = await errorsIn(reporting('processors', metrics));
    assert.equal(errors['processors/score-metrics'], 4);
    assert.equal(errors['processors/score-metrics-realtime'], 1);
    assert.equal(errors['processors/cluster-health'], 0);
  });

  it('are those of the last minute only, even after failed reports', async () => {
    const metrics = createMetrics();
    const sink = sinkMetrics(metrics, 'events');
    let isAway = true;
    sink.retry();
    sink.deadLetter('ROWS_REJECTED');
    const reports = reporting('sinks', metrics, () => isAway);
    const has = (count: number) => (): Promise<boolean> =>
      Promise.resolve(reports.some(({ errors }) => errors['sinks/events'] === count));
    await until('they are reported', has(2));
    isAway = false;
    reports.length = 0;
    await until('the minute is over', has(0));
  });
});
