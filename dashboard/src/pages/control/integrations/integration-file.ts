/** The fields of the form; texts as they were typed. */
export interface IntegrationFields {
  readonly protocol: string;
  readonly host: string;
  readonly port: string;
  readonly authentication: string;
  readonly apiKey: string;
  readonly username: string;
  readonly password: string;
  readonly ca: string;
  readonly slowlog: boolean;
}

export const emptyFields: IntegrationFields = {
  ...{ protocol: 'https', host: '', port: '9200', authentication: 'apiKey', apiKey: '' },
  ...{ username: '', password: '', ca: '', slowlog: false },
};

/** Both as in schemas/integration.schema.json. */
const portForm = /^\s*\d{1,5}\s*$/;
const hostForm = /^(\[[0-9a-fA-F:.]+\]|[0-9a-fA-F:]*:[0-9a-fA-F:.]+|[A-Za-z0-9._-]+)$/;

/** Mistakes by field, as the form shows them. */
export function mistakesOf(fields: IntegrationFields): Partial<Record<keyof IntegrationFields, string>> {
  const { host, port, authentication, apiKey, username, password } = fields;
  return {
    ...(!hostForm.test(host.trim()) && {
      host: 'Give a name or an address alone, such as es1.example.org.',
    }),
    ...(!(portForm.test(port) && Number(port) >= 1 && Number(port) <= 65_535) && {
      port: 'Give a number from 1 to 65535.',
    }),
    ...(authentication === 'apiKey' &&
      apiKey.trim() === '' && { apiKey: 'Give the key, as it was encoded.' }),
    ...(authentication === 'basic' && username.trim() === '' && { username: 'Give the name of the user.' }),
    ...(authentication === 'basic' && password === '' && { password: 'Give the password of the user.' }),
  };
}

/** The text of an integration.json; fields that have their standard value are left out. */
export function integrationFile(fields: IntegrationFields): string {
  const { protocol, host, port, authentication, apiKey, username, password, ca, slowlog } = fields;
  const file = {
    service: 'elasticsearch',
    protocol,
    host: host.trim(),
    port: port.trim(),
    ...(authentication === 'apiKey' && { apiKey: apiKey.trim() }),
    ...(authentication === 'basic' && { username: username.trim(), password }),
    ...(protocol === 'https' && ca.trim() !== '' && { tls: { ca: ca.trim() } }),
    ...(slowlog && { slowlog: { enabled: true } }),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
