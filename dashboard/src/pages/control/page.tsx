import type { Session } from '../../api/session.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { Tabs } from '../../shared/tabs.js';
import { AgentsPage } from './agents/page.js';
import { IntegrationsPage } from './integrations/page.js';
import { KeysPage } from './keys/page.js';
import { ScorersPage } from './scorers/page.js';

const tabs = [
  { id: 'keys', name: 'API keys' },
  { id: 'agents', name: 'Agents' },
  { id: 'integrations', name: 'Integrations' },
  { id: 'scorers', name: 'Scorers' },
];

/** What an operator sets up and looks after. */
export function ControlPage({ session, tab }: { readonly session: Session; readonly tab: string }) {
  return (
    <>
      <Tabs label="Control room" base="/control" tabs={tabs} current={tab} />
      <Tab session={session} tab={tab} />
    </>
  );
}

function Tab({ session, tab }: { readonly session: Session; readonly tab: string }) {
  switch (tab) {
    case 'keys':
      return <KeysPage session={session} />;
    case 'agents':
      return <AgentsPage />;
    case 'integrations':
      return <IntegrationsPage />;
    case 'scorers':
      return <ScorersPage />;
    default:
      return (
        <>
          <PageHeader title="Control room" />
          <Notice kind="error" title="There is no such page in the control room">
            <p>Choose one of the tabs above.</p>
          </Notice>
        </>
      );
  }
}
