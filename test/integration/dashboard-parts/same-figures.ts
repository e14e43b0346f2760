import assert from 'node:assert/strict';
import { formatMillis, formatNumber, formatPercent } from '../../../dashboard/src/shared/format.js';
import { open, read, type Stage } from './stage.js';
import { settled } from './visit.js';

interface Metrics {
  readonly metrics: readonly { readonly metric: string; readonly sum: number; readonly events: number }[];
}
interface Operation {
  readonly operation: string;
  readonly service: string;
  readonly requests: number;
  readonly errors: number;
  readonly ms: readonly [number, number, number];
}
interface Call {
  readonly caller: string;
  readonly called: string;
  readonly calls: number;
  readonly errors: number;
  readonly ms: readonly [number, number];
}
interface Applications {
  readonly applications: readonly {
    readonly application: string;
    readonly requests: number;
    readonly errors: number;
    readonly p50_ms: number;
    readonly p95_ms: number;
    readonly p99_ms: number;
  }[];
}

interface Drawn {
  readonly step_seconds: number;
  readonly applications: readonly {
    readonly series: readonly { readonly requests: number; readonly per_second: number }[];
  }[];
}

/** The figures on pages equal those of the API and ClickHouse. */
export function sameFigures(stage: () => Stage): void {
  const rowsOf = async (table: string, columns: readonly number[]): Promise<readonly string[][]> => {
    const { page } = stage().signedIn;
    const rows = page.getByRole('table', { name: table, exact: true }).locator('tbody tr');
    await rows.first().waitFor();
    // A long table has only its first rows for a moment.
    await settled(page);
    return Promise.all(
      (await rows.all()).map(async (row) => {
        const cells = await row.getByRole('cell').allTextContents();
        return columns.map((column) => cells[column] ?? '');
      }),
    );
  };

  it('shows events as in the API and ClickHouse', async () => {
    const { metrics } = await read<Metrics>(stage(), '/api/v1/events');
    const stored = await stage().pipeline.query<{ metric: string; sum: number; events: number }>(
      `SELECT metric, sum(value) AS sum, toFloat64(count()) AS events FROM telltale.events WHERE workspace = 'dashboard'
       GROUP BY metric ORDER BY metric`,
    );
    assert.ok(stored.length > 0);
    assert.deepEqual(
      metrics.map(({ metric, sum, events }) => ({ metric, sum, events })),
      stored,
    );
    await open(stage(), '/events');
    assert.deepEqual(
      await rowsOf('Metrics', [0, 2, 3]),
      stored.map(({ metric, sum, events }) => [metric, `sum ${formatNumber(sum)}`, formatNumber(events)]),
    );
  });

  it('shows applications as in the API and ClickHouse', async () => {
    const { applications } = await read<Applications>(stage(), '/api/v1/applications');
    const stored = await stage().pipeline.query<{ application: string; requests: number; errors: number }>(
      `SELECT application, toFloat64(count()) AS requests, toFloat64(countIf(StatusCode = 'Error')) AS errors
       FROM telltale.otel_traces WHERE workspace = 'dashboard' AND is_entry GROUP BY application ORDER BY application`,
    );
    assert.ok(stored.length > 0);
    assert.deepEqual(
      applications
        .map(({ application, requests, errors }) => ({ application, requests, errors }))
        .sort((one, other) => one.application.localeCompare(other.application)),
      stored,
    );
    await open(stage(), '/applications');
    assert.deepEqual(
      await rowsOf('Applications', [0, 1, 3, 4, 5, 6]),
      applications.map(({ application, requests, errors, p50_ms, p95_ms, p99_ms }) => [
        application,
        formatNumber(requests),
        formatPercent(errors / requests, 1),
        ...[p50_ms, p95_ms, p99_ms].map(formatMillis),
      ]),
    );
  });

  it('draws the requests of each application as ClickHouse has them', async () => {
    const { signedIn, pipeline } = stage();
    const { page } = signedIn;
    const answer = page.waitForResponse((response) => /\/api\/v1\/applications\?/.test(response.url()));
    await open(stage(), '/applications');
    const { step_seconds: step, applications } = (await (await answer).json()) as Drawn;
    const stored = await pipeline.query<{ readonly requests: readonly string[] }>(
      `SELECT groupArray(requests) AS requests FROM (
         SELECT application, toStartOfInterval(Timestamp, INTERVAL ${step} SECOND) AS at, count() AS requests
         FROM telltale.otel_traces
         WHERE workspace = 'dashboard' AND is_entry AND Timestamp > now() - INTERVAL 1 DAY
         GROUP BY application, at ORDER BY at)
       GROUP BY application`,
    );
    assert.ok(stored.length > 0);
    assert.deepEqual(
      applications.map(({ series }) => series.map(({ requests }) => String(requests)).join()).sort(),
      stored.map(({ requests }) => requests.join()).sort(),
    );
    await settled(page);
    const lines = page
      .getByRole('table', { name: 'Applications' })
      .getByRole('img', { name: /^Requests each/ });
    const labels = await Promise.all((await lines.all()).map((line) => line.getAttribute('aria-label')));
    const written = applications.map(({ series }) => {
      const rates = series.map(({ per_second: rate }) => rate);
      const [lowest, highest] = [Math.min(...rates), Math.max(...rates)].map((rate) => formatNumber(rate, 3));
      return `Requests each second: lowest ${lowest}, highest ${highest}`;
    });
    assert.deepEqual(labels.map((label) => label?.replace('; with gaps', '')).sort(), written.sort());
  });

  it('shows who calls whom as ClickHouse has it', async () => {
    const stored = await stage().pipeline.query<Call>(
      `SELECT caller.application AS caller, called.application AS called, toFloat64(count()) AS calls,
         toFloat64(countIf(called.StatusCode = 'Error')) AS errors,
         arrayMap(ns -> ns / 1e6, quantilesExact(0.5, 0.95)(called.Duration)) AS ms
       FROM telltale.otel_traces AS called
       INNER JOIN telltale.otel_traces AS caller ON caller.TraceId = called.TraceId AND caller.SpanId = called.ParentSpanId
       WHERE caller.workspace = 'dashboard' AND called.workspace = 'dashboard' AND caller.application != called.application
       GROUP BY caller, called`,
    );
    assert.ok(stored.length > 0);
    // On the page of the previous test.
    assert.deepEqual(
      inOrder(await rowsOf('Calls', [0, 1, 2, 3, 4, 5])),
      inOrder(
        stored.map(({ caller, called, calls, errors, ms }) => [
          ...[caller, `→ ${called}`, formatNumber(calls), formatPercent(errors / calls, 1)],
          ...ms.map(formatMillis),
        ]),
      ),
    );
  });

  it('shows the operations of an application and its slowest requests as ClickHouse has them', async () => {
    for (const application of ['shop', 'stock']) {
      const ofIt = `FROM telltale.otel_traces WHERE workspace = 'dashboard' AND is_entry AND application = '${application}'`;
      const operations = await stage().pipeline.query<Operation>(
        `SELECT SpanName AS operation, ServiceName AS service, toFloat64(count()) AS requests,
           toFloat64(countIf(StatusCode = 'Error')) AS errors,
           arrayMap(ns -> ns / 1e6, quantilesExact(0.5, 0.95, 0.99)(Duration)) AS ms
         ${ofIt} GROUP BY operation, service ORDER BY requests DESC, service, operation`,
      );
      const slowest = await stage().pipeline.query<{ operation: string; ms: number }>(
        `SELECT SpanName AS operation, Duration / 1e6 AS ms ${ofIt} ORDER BY Duration DESC, Timestamp DESC LIMIT 20`,
      );
      assert.ok(operations.length > 0 && slowest.length > 0, application);
      await open(stage(), `/applications?application=${application}`);
      assert.deepEqual(
        await rowsOf('Operations', [0, 1, 2, 3, 4, 5, 6]),
        operations.map(({ operation, service, requests, errors, ms }) => [
          ...[operation, service, formatNumber(requests), formatPercent(errors / requests, 1)],
          ...ms.map(formatMillis),
        ]),
      );
      assert.deepEqual(
        await rowsOf('Slowest requests', [1, 3]),
        slowest.map(({ operation, ms }) => [operation, formatMillis(ms)]),
      );
    }
  });

  it('lists the traces that ClickHouse has', async () => {
    const stored = await stage().pipeline.query<{ operation: string; application: string; ms: number }>(
      `SELECT SpanName AS operation, application, Duration / 1e6 AS ms FROM telltale.otel_traces
       WHERE workspace = 'dashboard' AND ParentSpanId = '' AND Timestamp > now() - INTERVAL 24 HOUR
       ORDER BY Timestamp DESC LIMIT 100`,
    );
    assert.ok(stored.length > 0);
    await open(stage(), '/traces');
    const shown = stored.map(({ operation, application, ms }) => [operation, application, formatMillis(ms)]);
    assert.deepEqual(inOrder(await rowsOf('Traces', [1, 2, 6])), inOrder(shown));
  });
}

const inOrder = (rows: readonly (readonly string[])[]): readonly string[] =>
  rows.map((row) => row.join('|')).sort();
