import { PageHeader } from '../../shared/page-header.js';
import { Notice } from '../../shared/notice.js';
import { Tabs } from '../../shared/tabs.js';
import type { Session } from '../../api/session.js';
import { DeadLettersTab } from './dead-letters-tab.js';
import { FindTab } from './find-tab.js';
import { ReplaysTab } from './replays-tab.js';
import { StagesTab } from './stages-tab.js';

const tabs = [
  { id: 'stages', name: 'Stages' },
  { id: 'dead-letters', name: 'Dead letters' },
  { id: 'replays', name: 'Replays' },
  { id: 'find', name: 'Where is my data' },
];

/** The state of the pipeline, its dead letters, and a search for where something is. */
export function PipelinePage({ session, tab }: { readonly session: Session; readonly tab: string }) {
  return (
    <>
      <PageHeader
        title="Pipeline"
        about="Of the whole installation, not of one workspace. Errors are what the processes report; every other figure comes from Kafka itself, also for stages without a running process."
      />
      <Tabs label="Views of the pipeline" base="/pipeline" tabs={tabs} current={tab} />
      {tab === 'stages' ? (
        <StagesTab />
      ) : tab === 'dead-letters' ? (
        <DeadLettersTab session={session} />
      ) : tab === 'replays' ? (
        <ReplaysTab session={session} />
      ) : tab === 'find' ? (
        <FindTab />
      ) : (
        <Notice kind="error" title="There is no such view of the pipeline">
          <p>Choose one of the tabs above.</p>
        </Notice>
      )}
    </>
  );
}
