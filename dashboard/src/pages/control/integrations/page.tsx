import { useState, type SubmitEvent } from 'react';
import { Button } from '../../../shared/button.js';
import { Choice } from '../../../shared/choice.js';
import { CopyButton } from '../../../shared/copy-button.js';
import { download } from '../../../shared/download.js';
import { Link } from '../../../shared/link.js';
import { PageHeader } from '../../../shared/page-header.js';
import { ConnectionTests } from './connection-tests.js';
import { Field } from './field.js';
import { emptyFields, integrationFile, mistakesOf, type IntegrationFields } from './integration-file.js';
import styles from './page.module.css';

const testCommand = 'curl -sS -X POST http://127.0.0.1:3774/integrations/elasticsearch/test';

/** Makes an integration.json. What is typed here stays in this page: nothing of it is sent. */
export function IntegrationsPage() {
  return (
    <>
      <PageHeader
        title="Integrations"
        about="An agent watches a search cluster once its integration.json names a node of it. This form writes the file; what you type stays in this page."
      />
      <IntegrationForm />
      <section className="stack" aria-labelledby="test">
        <h2 id="test">Then test it</h2>
        <p>
          Put the file where the agent looks for it (<code>AGENT_INTEGRATION_FILE</code>); it is read when it
          changes. The test says what to mend. What of a cluster is collected, and what is missing, stands on{' '}
          <Link href="/clusters">the cluster’s page</Link> a minute later.
        </p>
        <div className="field">
          <code className={styles['command']}>{testCommand}</code>
          <CopyButton label="Copy" text={() => testCommand} />
        </div>
        <ConnectionTests />
      </section>
    </>
  );
}

function IntegrationForm() {
  const [fields, setFields] = useState(emptyFields);
  const [isTried, setTried] = useState(false);
  const mistakes = mistakesOf(fields);
  const set = (changed: Partial<IntegrationFields>): void => setFields({ ...fields, ...changed });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(mistakes).length === 0)
      download('integration.json', 'application/json', integrationFile(fields));
  };
  const text = (name: keyof IntegrationFields, label: string, about: string, type = 'text') => (
    <Field
      label={label}
      about={about}
      type={type}
      value={String(fields[name])}
      mistake={isTried ? mistakes[name] : undefined}
      change={(value) => set({ [name]: value })}
    />
  );
  return (
    <form className={styles['form']} onSubmit={submit} noValidate autoComplete="off">
      <Choice
        label="Protocol"
        value={fields.protocol}
        options={['https', 'http']}
        choose={(protocol) => set({ protocol })}
      />
      {text('host', 'Host', 'One reachable node, by name or address.')}
      {text('port', 'Port', 'Of its HTTP interface.')}
      <Choice
        label="Authentication"
        value={fields.authentication}
        options={[
          ['apiKey', 'an API key of the cluster'],
          ['basic', 'user and password'],
          ['none', 'none'],
        ]}
        choose={(authentication) => set({ authentication })}
      />
      {fields.authentication === 'apiKey'
        ? text('apiKey', 'API key', 'The encoded value; the privilege monitor is enough.', 'password')
        : null}
      {fields.authentication === 'basic' ? (
        <>
          {text('username', 'User', 'With the privilege monitor.')}
          {text('password', 'Password', 'Of that user.', 'password')}
        </>
      ) : null}
      {fields.protocol === 'https'
        ? text('ca', 'CA certificate', 'A path on the agent’s host; empty: those that the system trusts.')
        : null}
      <label>
        <input
          type="checkbox"
          checked={fields.slowlog}
          onChange={(event) => set({ slowlog: event.target.checked })}
        />{' '}
        Collect slow operations from log files: where the agent runs on a host of the cluster
      </label>
      <div>
        <Button type="submit" look="primary">
          Download integration.json
        </Button>
      </div>
    </form>
  );
}
