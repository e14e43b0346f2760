import { z } from 'zod';
import { secret } from '../secret.js';

export const clickhouseConfig = z.object({
  CLICKHOUSE_URL: z
    .string()
    .default('http://127.0.0.1:8123')
    .describe('HTTP or HTTPS address of ClickHouse.'),
  CLICKHOUSE_TLS_CA_FILE: z
    .string()
    .default('')
    .describe(
      'PEM file of the authority that signs its certificate, if the URL is https; unset: the authorities that Node.js knows. Read again when it changes, like the next two.',
    ),
  CLICKHOUSE_TLS_CERTIFICATE_FILE: z
    .string()
    .default('')
    .describe('PEM file of the client certificate, if ClickHouse requires one.'),
  CLICKHOUSE_TLS_KEY_FILE: z.string().default('').describe('PEM file of its key, without a passphrase.'),
  CLICKHOUSE_WRITER_USER: z.string().default('telltale').describe('User that migrates and inserts.'),
  CLICKHOUSE_WRITER_PASSWORD: secret('Its password.'),
});

export const clickhouseReaderConfig = z.object({
  CLICKHOUSE_USER: z.string().default('edge').describe('User that may only read.'),
  CLICKHOUSE_PASSWORD: secret('Its password.'),
});
