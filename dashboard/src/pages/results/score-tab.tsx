import { useState, type SubmitEvent } from 'react';
import type { Scored } from '../../api/client.js';
import { ApiError, call } from '../../api/client.js';
import type { Session } from '../../api/session.js';
import { curlOf } from '../../api/use-read.js';
import { Button } from '../../shared/button.js';
import { CopyButton } from '../../shared/copy-button.js';
import { RowExports } from '../../shared/exports.js';
import { Link } from '../../shared/link.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { Waiting } from '../../shared/waiting.js';
import { Figures } from '../result/figure-tables.js';
import { figureRows, figuresOf } from '../result/figures.js';
import { Texts } from '../result/texts.js';
import { scoreCommand } from './score-command.js';
import styles from './score-tab.module.css';

const path = '/api/v1/monitoring/metrics';
const awaited = [{ what: 'the scores', from: ['Kafka', 'processors'] }] as const;

/** Scores a text that is typed here like any other: the result is also stored. */
export function ScoreTab({ session }: { readonly session: Session }) {
  return (
    <>
      <PageHeader
        title="Score a text"
        about="All metrics of a text, at once. The result is stored with the others of the workspace."
      />
      {session.scopes.includes('metrics') ? (
        <ScoreForm />
      ) : (
        <Notice kind="unavailable" title="You are signed in as a viewer">
          <p>
            Scoring a text requires an admin, or an API key with the scopes <code>read</code> and{' '}
            <code>metrics</code>: sign out, and sign in with one.
          </p>
        </Notice>
      )}
    </>
  );
}

function ScoreForm() {
  const [prompt, setPrompt] = useState('');
  const [response, setResponse] = useState('');
  const [state, setState] = useState<'idle' | 'busy' | ApiError | Scored>('idle');
  const body = { prompt, ...(response !== '' && { response }) };
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setState('busy');
    try {
      setState((await call('POST', path, { body })) as Scored);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState(error);
    }
  };
  return (
    <>
      <form className={styles['form']} onSubmit={(event) => void submit(event)}>
        <label>
          <span>Prompt</span>
          <textarea required rows={3} value={prompt} onChange={(event) => setPrompt(event.target.value)} />
        </label>
        <label>
          <span>Response (some metrics need it)</span>
          <textarea rows={3} value={response} onChange={(event) => setResponse(event.target.value)} />
        </label>
        <div className="field">
          <Button type="submit" look="primary" disabled={state === 'busy'}>
            Score it
          </Button>
          <CopyButton label="Copy as curl" shortcut="c" text={() => scoreCommand(location.origin, body)} />
        </div>
      </form>
      <div aria-live="polite" className="stack">
        {state === 'busy' ? <Waiting title="Scoring it…" awaited={awaited} /> : null}
        {typeof state === 'string' ? null : state instanceof ApiError ? (
          <Notice kind={state.status === 422 ? 'error' : 'unavailable'} title="It could not be scored">
            <p>{state.message}</p>
          </Notice>
        ) : (
          <Outcome scored={state} />
        )}
      </div>
    </>
  );
}

function Outcome({ scored }: { readonly scored: Scored }) {
  const metrics = figuresOf(scored.metrics, {});
  const params = { task_id: scored.id };
  return (
    <>
      <RowExports
        what={`result ${scored.id}`}
        rows={() => figureRows(metrics)}
        curl={() => curlOf('/api/v1/results/{task_id}', { params }, Date.now())}
      />
      <Texts {...scored} />
      <Figures metrics={metrics} />
      <p className="muted">
        In a few seconds, <Link href={`/results/${scored.id}`}>its page</Link> shows the time of each step.
      </p>
    </>
  );
}
