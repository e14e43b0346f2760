import { CopyButton } from '../../../shared/copy-button.js';
import { Link } from '../../../shared/link.js';
import { PageHeader } from '../../../shared/page-header.js';
import { ConnectionTests } from './connection-tests.js';
import { IntegrationForm } from './integration-form.js';
import styles from './page.module.css';

const testCommand = 'curl -sS -X POST http://127.0.0.1:3774/integrations/elasticsearch/test';

/** Makes an integration.json. What is typed here stays in this page: none of it is sent. */
export function IntegrationsPage() {
  return (
    <>
      <PageHeader
        title="Integrations"
        about="An agent watches search clusters once its integration.json names a node of each. This form writes the file; what you type stays in this page."
      />
      <IntegrationForm />
      <section className="stack" aria-labelledby="test">
        <h2 id="test">Then test it</h2>
        <p>
          Put the file where the agent looks for it (<code>AGENT_INTEGRATION_FILE</code>); it is read when it
          changes. The test says what to fix. A minute later, <Link href="/clusters">the cluster’s page</Link>{' '}
          shows what is collected and what is missing.
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
