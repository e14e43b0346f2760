import { useState, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../shared/button.js';
import { ConfirmDialog, type Question } from '../../../shared/confirm-dialog.js';
import { download } from '../../../shared/download.js';
import { ClusterFieldset } from './cluster-fieldset.js';
import { emptyFields, integrationFile, mistakesOf, type ClusterFields } from './integration-file.js';
import styles from './page.module.css';

/** Makes the file for one or more clusters; a failed attempt moves the focus to the first mistake. */
export function IntegrationForm() {
  const [clusters, setClusters] = useState<readonly ClusterFields[]>([emptyFields]);
  const [isTried, setTried] = useState(false);
  const [question, ask] = useState<Question>();
  const mistakes = mistakesOf(clusters);
  const change = (at: number, changed: Partial<ClusterFields>): void =>
    setClusters(clusters.map((fields, index) => (index === at ? { ...fields, ...changed } : fields)));
  const remove = (at: number): void => {
    const act = (): Promise<void> => {
      setClusters(clusters.toSpliced(at, 1));
      return Promise.resolve();
    };
    if (isUntouched(clusters[at])) void act();
    else
      ask({
        title: `Remove cluster ${at + 1}?`,
        text: 'What was typed for it, credentials too, is lost.',
        yes: 'Remove it',
        act,
      });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // Rendered at once, because the fields with mistakes are looked up next.
    flushSync(() => setTried(true));
    if (mistakes.every((one) => Object.keys(one).length === 0))
      download('integration.json', 'application/json', integrationFile(clusters));
    else event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  return (
    <form className={styles['form']} onSubmit={submit} noValidate autoComplete="off">
      {question === undefined ? null : <ConfirmDialog question={question} close={() => ask(undefined)} />}
      {clusters.map((fields, index) => (
        <div key={index} className="stack">
          <ClusterFieldset
            legend={clusters.length === 1 ? 'The cluster' : `Cluster ${index + 1}`}
            fields={fields}
            mistakes={isTried ? (mistakes[index] ?? {}) : {}}
            change={(changed) => change(index, changed)}
          />
          {clusters.length === 1 ? null : (
            <div>
              <Button onClick={() => remove(index)}>{`Remove cluster ${index + 1}`}</Button>
            </div>
          )}
        </div>
      ))}
      <div className="field">
        <Button
          onClick={() => {
            setTried(false);
            setClusters([...clusters, emptyFields]);
          }}
        >
          Add another cluster
        </Button>
        <Button type="submit" look="primary">
          Download integration.json
        </Button>
      </div>
      <p className="muted">
        The file can hold more, such as limits and intervals: <code>schemas/integration.schema.json</code>{' '}
        lists every field.
      </p>
    </form>
  );
}

const isUntouched = (fields: ClusterFields | undefined): boolean =>
  JSON.stringify(fields) === JSON.stringify(emptyFields);
