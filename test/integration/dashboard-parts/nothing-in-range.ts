import assert from 'node:assert/strict';
import { formatTimestamp } from '../../../dashboard/src/shared/format.js';
import { violationsInThemes } from './axe.js';
import { read, type Stage } from './stage.js';
import { visit } from './visit.js';

interface Newest {
  readonly result_at: string;
  readonly event_at: string;
  readonly span_at: string;
}

/** A range before the first data. */
const before = 'from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z';

/** A page with nothing in its range says when the last data came, and links there. */
export function nothingInRange(stage: () => Stage): void {
  it('says when the last data came if the range has none, as ClickHouse has it, and links there', async () => {
    const newest = await read<Newest>(stage(), '/api/v1/newest');
    const [stored] = await stage().pipeline.query<{ result: string; event: string; span: string }>(
      `SELECT
         (SELECT toString(max(accepted_at)) FROM telltale.scoring_results WHERE workspace = 'dashboard') AS result,
         (SELECT toString(toStartOfMinute(max(occurred_at))) FROM telltale.events WHERE workspace = 'dashboard') AS event,
         (SELECT toString(max(Timestamp)) FROM telltale.otel_traces WHERE workspace = 'dashboard' AND is_entry) AS span`,
    );
    const known = [newest.result_at, newest.event_at, newest.span_at];
    assert.deepEqual(
      known.map((at) => at.slice(0, 19)),
      [stored?.result, stored?.event, stored?.span].map((text) =>
        (text ?? '').replace(' ', 'T').slice(0, 19),
      ),
    );
    const { page } = stage().signedIn;
    for (const [path, title, at, table] of [
      ['/results', 'Nothing was scored in this range', newest.result_at, 'Results'],
      ['/events', 'No event came in this range', newest.event_at, 'Metrics'],
      ['/traces', 'No trace began in this range', newest.span_at, 'Traces'],
      ['/applications', 'No application answered a request in this range', newest.span_at, 'Applications'],
    ] as const) {
      await visit(stage(), `${path}?${before}`);
      const notice = page.getByRole('status').filter({ has: page.getByRole('heading', { name: title }) });
      await notice.getByText(formatTimestamp(at, 'utc')).waitFor();
      assert.deepEqual(await violationsInThemes(page), [], path);
      await notice.getByRole('button', { name: 'Go there' }).click();
      await page.getByRole('table', { name: table, exact: true }).locator('tbody tr').first().waitFor();
    }
  });
}
