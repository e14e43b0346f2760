import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { dashboardFiles } from '../../support/grafana-dashboards.js';

interface Source {
  readonly type: string;
  readonly uid: string;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly datasource: Source;
  readonly targets?: readonly { readonly datasource: Source; readonly expr?: string }[];
  readonly type: string;
  readonly fieldConfig?: {
    readonly defaults: { readonly custom?: { readonly spanNulls?: unknown; readonly insertNulls?: unknown } };
  };
}

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly Panel[];
}

const dashboards = dashboardFiles().map((file) => ({
  file,
  board: JSON.parse(readFileSync(`deploy/grafana/dashboards/${file}`, 'utf8')) as Dashboard,
}));
const { datasources } = parse(readFileSync('deploy/grafana/datasources.yaml', 'utf8')) as {
  readonly datasources: readonly Source[];
};

/** The metrics that the code declares, with the suffixes that Prometheus appends for histograms. */
const metrics = new Set(
  ['runtime', 'http-edge']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [
      ...readFileSync(path, 'utf8').matchAll(
        /\.(counter|gauge|histogram|gatheredHistogram)\(\s*'(telltale_\w+)'/g,
      ),
    ])
    .flatMap(([, kind, name = '']) =>
      kind?.endsWith('istogram') ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
);

describe('the dashboards of Grafana', () => {
  it('are those of events, of the pipeline and of traces, each with an id of its own', () => {
    for (const file of ['events.json', 'pipeline.json', 'traces.json'])
      assert.ok(
        dashboards.some((one) => one.file === file),
        file,
      );
    assert.equal(new Set(dashboards.map(({ board }) => board.uid)).size, dashboards.length);
  });

  for (const { file, board } of dashboards) {
    it(`${file}: every panel has a datasource that is provisioned, a number of its own and a word of what it shows`, () => {
      assert.equal(new Set(board.panels.map(({ id }) => id)).size, board.panels.length);
      for (const panel of board.panels) {
        assert.ok(panel.description, panel.title);
        for (const { type, uid } of [panel, ...(panel.targets ?? [])].map(({ datasource }) => datasource))
          assert.ok(
            datasources.some((source) => source.type === type && source.uid === uid),
            `${panel.title}: ${type} ${uid}`,
          );
      }
    });

    it(`${file}: draws a gap where snapshots of a cluster are missing, not a line`, function () {
      const lines = board.panels.filter(({ type }) => type === 'timeseries');
      if (file !== 'clusters.json') this.skip();
      for (const { title, fieldConfig } of lines) {
        const { spanNulls, insertNulls } = fieldConfig?.defaults.custom ?? {};
        // Snapshots are taken every minute: a late one is no gap.
        assert.deepEqual([spanNulls, insertNulls], [false, 150_000], title);
      }
    });

    it(`${file}: asks Prometheus only for metrics that the code has`, () => {
      const asked = board.panels
        .flatMap(({ targets = [] }) => targets)
        .flatMap(({ expr = '' }) => expr.match(/telltale_\w+/g) ?? []);
      assert.deepEqual(
        asked.filter((name) => !metrics.has(name)),
        [],
      );
      if (file === 'pipeline.json') assert.ok(asked.length > 10);
    });
  }
});
