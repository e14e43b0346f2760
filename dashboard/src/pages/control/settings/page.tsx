import type { Answer } from '../../../api/client.js';
import { useRead } from '../../../api/use-read.js';
import { Exports } from '../../../shared/exports.js';
import { absent, formatMillis } from '../../../shared/format.js';
import { Loaded } from '../../../shared/loaded.js';
import { Notice } from '../../../shared/notice.js';
import { PageHeader } from '../../../shared/page-header.js';
import { Table, type Column } from '../../../shared/table.js';

const path = '/api/v1/settings';
type Settings = Answer<typeof path>;
type Kept = Settings['topics']['kept'][number];
type Limit = Settings['limits'][number];

const kept: readonly Column<Kept>[] = [
  { title: 'Name', cell: ({ name }) => <code>{name}</code> },
  { title: 'Kept for', isFigure: true, cell: ({ days }) => keptText(days) },
];
const limits: readonly Column<Limit>[] = [
  { title: 'Setting', cell: ({ name }) => <code>{name}</code> },
  { title: 'Value', isFigure: true, cell: ({ value }) => (value === null ? absent : String(value)) },
  { title: 'What it limits', cell: ({ about }) => about },
];

/** The settings, read-only: they are set by environment variables, and by the operators of Kafka and ClickHouse. */
export function SettingsPage() {
  const query = useRead(path, { everySeconds: 60 });
  return (
    <>
      <PageHeader
        title="Retention and limits"
        about="The current values in Kafka, ClickHouse and the edge that answers. They cannot be changed here."
        actions={
          <Exports
            what="retention and limits"
            query={query}
            path={path}
            rows={({ limits: all, tables, topics }) => [
              ...all.map(({ name, value, about }) => ({ name, value, about })),
              ...[...tables.kept, ...topics.kept].map(({ name, days }) => ({
                name,
                value: days,
                about: 'days kept',
              })),
            ]}
          />
        }
      />
      <Loaded query={query} what="the settings" from={['Kafka', 'ClickHouse']}>
        {(settings) => (
          <>
            <KeptTable title="Tables of ClickHouse" of={settings.tables} />
            <KeptTable title="Topics of Kafka" of={settings.topics} />
            <section className="stack" aria-labelledby="limits">
              <h2 id="limits">Limits of the edge</h2>
              <Table caption="Limits" columns={limits} rows={settings.limits} keyOf={({ name }) => name} />
            </section>
          </>
        )}
      </Loaded>
    </>
  );
}

function KeptTable({ title, of }: { readonly title: string; readonly of: Settings['topics'] }) {
  return (
    <div className="stack">
      <h2>{title}</h2>
      {of.unknown === null ? (
        <Table caption={title} columns={kept} rows={of.kept} keyOf={({ name }) => name} />
      ) : (
        <Notice kind="unavailable" title="Unknown">
          <p>{of.unknown}</p>
        </Notice>
      )}
    </div>
  );
}

const dayMs = 86_400_000;
const keptText = (days: number | null): string => (days === null ? 'forever' : formatMillis(days * dayMs));
