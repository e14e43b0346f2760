import { Choice } from '../../../shared/choice.js';
import { Field } from './field.js';
import type { ClusterFields, Mistakes } from './integration-file.js';
import styles from './page.module.css';

interface ClusterFieldsetProps {
  readonly legend: string;
  readonly fields: ClusterFields;
  readonly mistakes: Mistakes;
  readonly change: (changed: Partial<ClusterFields>) => void;
}

/** What the file says of one cluster. */
export function ClusterFieldset({ legend, fields, mistakes, change }: ClusterFieldsetProps) {
  const text = (name: keyof ClusterFields, label: string, about: string, type = 'text') => (
    <Field
      label={label}
      about={about}
      type={type}
      value={String(fields[name])}
      mistake={mistakes[name]}
      change={(value) => change({ [name]: value })}
    />
  );
  const box = (name: 'verifyCertificate' | 'slowlog', label: string) => (
    <label>
      <input
        type="checkbox"
        checked={fields[name]}
        onChange={(event) => change({ [name]: event.target.checked })}
      />
      {label}
    </label>
  );
  const { protocol, authentication, verifyCertificate, slowlog } = fields;
  return (
    <fieldset className={styles['cluster']}>
      <legend>{legend}</legend>
      <Choice
        label="Protocol"
        value={protocol}
        options={['https', 'http']}
        choose={(chosen) => change({ protocol: chosen })}
      />
      {text('host', 'Host', 'One reachable node, by name or address.')}
      {text('port', 'Port', 'Of its HTTP interface.')}
      <Choice
        label="Authentication"
        value={authentication}
        options={[
          ['apiKey', 'an API key of the cluster'],
          ['basic', 'user and password'],
          ['none', 'none'],
        ]}
        choose={(chosen) => change({ authentication: chosen })}
      />
      {authentication === 'apiKey'
        ? text('apiKey', 'API key', 'The encoded value; the privilege monitor is enough.', 'password')
        : null}
      {authentication === 'basic' ? (
        <>
          {text('username', 'User', 'With the privilege monitor.')}
          {text('password', 'Password', 'Of that user.', 'password')}
        </>
      ) : null}
      {protocol === 'https'
        ? box(
            'verifyCertificate',
            'Check the certificate of the cluster: without this, anybody can pose as it',
          )
        : null}
      {protocol === 'https' && verifyCertificate
        ? text('ca', 'CA certificate', 'A path on the agent’s host; empty: those that the system trusts.')
        : null}
      {text('requestTimeoutMs', 'Time for a call', 'In milliseconds; empty: 15000.')}
      {box(
        'slowlog',
        'Collect slow operations from log files: where the agent runs on a host of the cluster',
      )}
      {slowlog ? (
        <>
          {text('logDirectories', 'Folders of the logs', 'Separated by commas; empty: the standard ones.')}
          <Choice
            label="What is kept of a query"
            value={fields.queryText}
            options={[
              ['scrubbed', 'its text, without what may be secret'],
              ['shape', 'its shape, without any value'],
              ['none', 'nothing'],
            ]}
            choose={(chosen) => change({ queryText: chosen })}
          />
        </>
      ) : null}
    </fieldset>
  );
}
