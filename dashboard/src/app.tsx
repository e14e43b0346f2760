import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { useSession } from './api/session.js';
import { Contained } from './shared/contained.js';
import { fetched } from './shared/fetched.js';
import { Loaded } from './shared/loaded.js';
import { Notice } from './shared/notice.js';
import { PageHeader } from './shared/page-header.js';
import { Shell } from './shell/shell.js';
import { HomePage } from './pages/home/page.js';
import { SignInPage } from './pages/sign-in/page.js';

// Each page except the first is a separate file, fetched when it is first shown.
const ClustersPage = fetched('the page', async () => (await import('./pages/clusters/page.js')).ClustersPage);
const ClusterPage = fetched('the page', async () => (await import('./pages/cluster/page.js')).ClusterPage);
const ResultsPage = fetched('the page', async () => (await import('./pages/results/page.js')).ResultsPage);
const ResultPage = fetched('the page', async () => (await import('./pages/result/page.js')).ResultPage);
const EventsPage = fetched('the page', async () => (await import('./pages/events/page.js')).EventsPage);
const ApplicationsPage = fetched(
  'the page',
  async () => (await import('./pages/applications/page.js')).ApplicationsPage,
);
const TracesPage = fetched('the page', async () => (await import('./pages/traces/page.js')).TracesPage);
const TracePage = fetched('the page', async () => (await import('./pages/trace/page.js')).TracePage);
const PipelinePage = fetched('the page', async () => (await import('./pages/pipeline/page.js')).PipelinePage);
const ControlPage = fetched('the page', async () => (await import('./pages/control/page.js')).ControlPage);

/** The whole dashboard: every view is an address under /ui/. */
export function App() {
  const query = useSession();
  const [at] = useLocation();
  if (query.data === null)
    return (
      <Router base="/ui">
        <SignInPage />
      </Router>
    );
  return (
    <Router base="/ui">
      <Loaded query={query} what="your session" from={['edge']}>
        {(session) =>
          session === null ? null : (
            <Shell session={session}>
              <Contained what="the page" at={at}>
                <Switch>
                  <Route path="/">
                    <HomePage session={session} />
                  </Route>
                  <Route path="/results">
                    <ResultsPage session={session} tab="list" />
                  </Route>
                  <Route path="/results/trends">
                    <ResultsPage session={session} tab="trends" />
                  </Route>
                  <Route path="/results/score">
                    <ResultsPage session={session} tab="score" />
                  </Route>
                  <Route path="/results/:id">{({ id }) => <ResultPage id={id} />}</Route>
                  <Route path="/events" component={EventsPage} />
                  <Route path="/applications" component={ApplicationsPage} />
                  <Route path="/traces" component={TracesPage} />
                  <Route path="/traces/:id">{({ id }) => <TracePage key={id} id={id} />}</Route>
                  <Route path="/clusters" component={ClustersPage} />
                  <Route path="/clusters/:uuid/:tab?">
                    {({ uuid, tab }) => <ClusterPage uuid={uuid} tab={tab ?? 'health'} />}
                  </Route>
                  <Route path="/pipeline/:tab?">
                    {({ tab }) => <PipelinePage session={session} tab={tab ?? 'stages'} />}
                  </Route>
                  <Route path="/control/:tab?">
                    {({ tab }) => <ControlPage session={session} tab={tab ?? 'keys'} />}
                  </Route>
                  <Route path="/sign-in">
                    <Redirect to="/" replace />
                  </Route>
                  <Route>
                    <PageHeader title="Page not found" />
                    <Notice kind="error" title="There is no such page">
                      <p>The address may be mistyped. The rail on the left has all pages.</p>
                    </Notice>
                  </Route>
                </Switch>
              </Contained>
            </Shell>
          )
        }
      </Loaded>
    </Router>
  );
}
