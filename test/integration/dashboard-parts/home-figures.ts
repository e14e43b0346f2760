import assert from 'node:assert/strict';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import { formatNumber } from '../../../dashboard/src/shared/format.js';
import { until } from '../../support/until.js';
import { open, post, read, type Stage } from './stage.js';
import { settled } from './visit.js';

interface Failures {
  readonly results: readonly { readonly error: string }[];
}
interface Clusters {
  readonly clusters: readonly { readonly cluster_uuid: string; readonly score: number | null }[];
}
interface DeadLetters {
  readonly dead_letters: readonly { readonly stage: string; readonly code: string; readonly open: number }[];
}

interface Line {
  readonly what: string;
  readonly reason: string;
}

const lastFailures = `SELECT toFloat64(count()) AS failed, argMax(error, accepted_at) AS newest
  FROM telltale.scoring_results
  WHERE workspace = 'dashboard' AND error IS NOT NULL AND accepted_at > now() - INTERVAL 1 DAY`;
const lastHealth = `SELECT score,
    arrayFirst((reason, code) -> NOT startsWith(code, 'disk_'), deductions.reason, deductions.code) AS worst,
    arrayFirst((reason, code) -> startsWith(code, 'disk_'), deductions.reason, deductions.code) AS disks
  FROM telltale.cluster_health
  WHERE workspace = 'dashboard' AND cluster_uuid = '${seededCluster}' ORDER BY at DESC LIMIT 1`;

/**
 * Home shows the same stored data as the API and ClickHouse; dead letters are only in Kafka. Unit tests check
 * the figures that change constantly: the lag of stages, the spools of agents and the expiry of keys.
 */
export function homeFigures(stage: () => Stage): void {
  const stored = async <Row>(sql: string): Promise<Row> => {
    const [row] = await stage().pipeline.query<Row>(sql);
    assert.ok(row);
    return row;
  };
  const failures = () => stored<{ failed: number; newest: string }>(lastFailures);
  const ofFailures = async (): Promise<Line> => {
    const { failed, newest } = await failures();
    const { results } = await read<Failures>(stage(), '/api/v1/results?outcome=failed');
    assert.deepEqual([results.length, results[0]?.error], [failed, newest]);
    const reason = `${formatNumber(failed)} in the last day, the newest with: ${newest}`;
    return { what: 'Prompts that could not be scored', reason };
  };
  const ofCluster = async (): Promise<readonly Line[]> => {
    const { score, worst, disks } = await stored<{ score: number; worst: string; disks: string }>(lastHealth);
    const { clusters } = await read<Clusters>(stage(), '/api/v1/clusters');
    assert.deepEqual(
      clusters.map(({ cluster_uuid: uuid, score: its }) => [uuid, its]),
      [[seededCluster, score]],
    );
    return [
      { what: 'Cluster bookshop', reason: `Its score is ${score} of 100. ${worst}` },
      ...(disks === '' ? [] : [{ what: 'Disks of cluster bookshop', reason: disks }]),
    ];
  };
  const ofLetters = async (): Promise<readonly Line[]> => {
    const { dead_letters: letters } = await read<DeadLetters>(stage(), '/api/v1/dead-letters');
    return letters
      .filter(({ open: undecided }) => undecided > 0)
      .map(({ stage: of, code, open: undecided }) => ({
        what: `Dead letters of ${of}`,
        reason: `Records that could not be processed (${code}): ${formatNumber(undecided)}. Nobody has decided about them.`,
      }));
  };
  const shown = async (): Promise<readonly Line[]> => {
    const { page } = stage().signedIn;
    await open(stage(), '/');
    await settled(page);
    const concerns = page.getByRole('list', { name: 'What needs attention' }).getByRole('listitem');
    return Promise.all(
      (await concerns.all()).map(async (concern) => ({
        what: (await concern.getByRole('heading').textContent()) ?? '',
        reason: (await concern.locator('p').textContent()) ?? '',
      })),
    );
  };
  const sorted = (lines: readonly Line[]): readonly string[] =>
    lines.map(({ what, reason }) => `${what}: ${reason.replaceAll('`', '').replaceAll('.; ', '; ')}`).sort();

  it('shows failures, cluster problems and dead letters on Home, with the figures of the API and ClickHouse', async () => {
    const text = { prompt: 'Is there a model?', response: 'There is none.' };
    await post(stage(), '/api/v1/monitoring/metrics/hallucination/task', text);
    await until('the failure is stored', async () => (await failures()).failed > 0);
    const expected = [await ofFailures(), ...(await ofCluster()), ...(await ofLetters())];
    const ofStored = (await shown()).filter(({ what }) =>
      /^(?:Prompts|Cluster|Disks|Dead letters) /.test(what),
    );
    assert.deepEqual(sorted(ofStored), sorted(expected));
  });
}
