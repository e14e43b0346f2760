import { Choice } from '../../../shared/choice.js';
import { Field } from './field.js';
import type { ClusterFields, Mistakes } from './integration-file.js';
import styles from './page.module.css';

interface PartProps {
  readonly fields: ClusterFields;
  readonly mistakes: Mistakes;
  readonly change: (changed: Partial<ClusterFields>) => void;
}

/** The fields for one cluster of the file. */
export function ClusterFieldset({ legend, ...of }: PartProps & { readonly legend: string }) {
  const { fields, change } = of;
  return (
    <fieldset className={styles['cluster']}>
      <legend>{legend}</legend>
      <Choice
        label="Protocol"
        value={fields.protocol}
        options={['https', 'http']}
        choose={(protocol) => change({ protocol })}
      />
      <Text of={of} name="host" label="Host" about="One reachable node, by name or address." />
      <Text of={of} name="port" label="Port" about="Of its HTTP interface." />
      <Credentials of={of} />
      {fields.protocol === 'https' ? <Certificate of={of} /> : null}
      <Text of={of} name="requestTimeoutMs" label="Time for a call" about="In milliseconds; empty: 15000." />
      <SlowLogs of={of} />
    </fieldset>
  );
}

function Credentials({ of }: { readonly of: PartProps }) {
  const { fields, change } = of;
  return (
    <>
      <Choice
        label="Authentication"
        value={fields.authentication}
        options={[
          ['apiKey', 'an API key of the cluster'],
          ['basic', 'user and password'],
          ['none', 'none'],
        ]}
        choose={(authentication) => change({ authentication })}
      />
      {fields.authentication === 'apiKey' ? (
        <Text
          of={of}
          name="apiKey"
          label="API key"
          about="The encoded value; the privilege monitor is enough."
          type="password"
        />
      ) : null}
      {fields.authentication === 'basic' ? (
        <>
          <Text of={of} name="username" label="User" about="With the privilege monitor." />
          <Text of={of} name="password" label="Password" about="Of that user." type="password" />
        </>
      ) : null}
    </>
  );
}

function Certificate({ of }: { readonly of: PartProps }) {
  return (
    <>
      <Box
        of={of}
        name="verifyCertificate"
        label="Check the certificate of the cluster: without this, anybody can pose as it"
      />
      {of.fields.verifyCertificate ? (
        <Text
          of={of}
          name="ca"
          label="CA certificate"
          about="A path on the agent’s host; empty: those that the system trusts."
        />
      ) : null}
    </>
  );
}

function SlowLogs({ of }: { readonly of: PartProps }) {
  const { fields, change } = of;
  return (
    <>
      <Box
        of={of}
        name="slowlog"
        label="Collect slow operations from log files (only if the agent runs on a host of the cluster)"
      />
      {fields.slowlog ? (
        <>
          <Text
            of={of}
            name="logDirectories"
            label="Folders of the logs"
            about="Separated by commas; empty: the standard ones."
          />
          <Choice
            label="What is kept of a query"
            value={fields.queryText}
            options={[
              ['scrubbed', 'its text, without what may be secret'],
              ['shape', 'its shape, without any value'],
              ['none', 'nothing'],
            ]}
            choose={(queryText) => change({ queryText })}
          />
        </>
      ) : null}
    </>
  );
}

interface TextProps {
  readonly of: PartProps;
  readonly name: keyof ClusterFields;
  readonly label: string;
  readonly about: string;
  readonly type?: 'text' | 'password';
}

function Text({ of: { fields, mistakes, change }, name, label, about, type = 'text' }: TextProps) {
  return (
    <Field
      label={label}
      about={about}
      type={type}
      value={String(fields[name])}
      mistake={mistakes[name]}
      change={(value) => change({ [name]: value })}
    />
  );
}

interface BoxProps {
  readonly of: PartProps;
  readonly name: 'verifyCertificate' | 'slowlog';
  readonly label: string;
}

function Box({ of: { fields, change }, name, label }: BoxProps) {
  return (
    <label>
      <input
        type="checkbox"
        checked={fields[name]}
        onChange={(event) => change({ [name]: event.target.checked })}
      />
      {label}
    </label>
  );
}
