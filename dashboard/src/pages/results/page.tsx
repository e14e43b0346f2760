import type { Session } from '../../api/session.js';
import { Tabs } from '../../shared/tabs.js';
import { ListTab } from './list-tab.js';
import { ScoreTab } from './score-tab.js';
import { TrendsTab } from './trends-tab.js';

const tabs = [
  { id: 'list', name: 'Scored prompts' },
  { id: 'trends', name: 'Trends' },
  { id: 'score', name: 'Score a text' },
] as const;

interface ResultsPageProps {
  readonly session: Session;
  readonly tab: (typeof tabs)[number]['id'];
}

/** Scored prompts, scores over time, and a form to score a text. */
export function ResultsPage({ session, tab }: ResultsPageProps) {
  return (
    <>
      <Tabs label="Views of results" base="/results" tabs={tabs} current={tab} />
      {tab === 'list' ? <ListTab /> : tab === 'trends' ? <TrendsTab /> : <ScoreTab session={session} />}
    </>
  );
}
