import type { Session } from '../../api/session.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { Tabs } from '../../shared/tabs.js';
import { AgentsPage } from './agents/page.js';
import { IntegrationsPage } from './integrations/page.js';
import { PeoplePage } from './people/page.js';
import { SettingsPage } from './settings/page.js';
import { KeysPage } from './keys/page.js';
import { ScorersPage } from './scorers/page.js';

const tabs = [
  { id: 'keys', name: 'API keys' },
  { id: 'agents', name: 'Agents' },
  { id: 'integrations', name: 'Integrations' },
  { id: 'scorers', name: 'Scorers' },
  { id: 'people', name: 'People' },
  { id: 'settings', name: 'Retention and limits' },
];

/** The pages on which an operator configures and monitors. */
export function ControlPage({ session, tab }: { readonly session: Session; readonly tab: string }) {
  return (
    <>
      <Tabs label="Control room" base="/control" tabs={tabs} current={tab} />
      <Tab session={session} tab={tab} />
    </>
  );
}

function Tab({ session, tab }: { readonly session: Session; readonly tab: string }) {
  const isAdmin = session.role === 'admin';
  switch (tab) {
    case 'keys':
      return isAdmin ? <KeysPage session={session} /> : <ForAdmins title="API keys" />;
    case 'agents':
      return <AgentsPage />;
    case 'integrations':
      return <IntegrationsPage />;
    case 'scorers':
      return <ScorersPage />;
    case 'people':
      return isAdmin ? <PeoplePage session={session} /> : <ForAdmins title="People" />;
    case 'settings':
      return isAdmin ? <SettingsPage /> : <ForAdmins title="Retention and limits" />;
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

function ForAdmins({ title }: { readonly title: string }) {
  return (
    <>
      <PageHeader title={title} />
      <Notice kind="error" title="This is for admins">
        <p>You are signed in as a viewer. Sign in with a key of scope admin.</p>
      </Notice>
    </>
  );
}
