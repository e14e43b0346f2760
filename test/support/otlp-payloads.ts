import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What clients and other projects' tests send. The files lie beside the repository and are not part of it. */
const folder = resolve('../shared/data/agent/otlp');

export const haveOtlpPayloads = (): boolean => existsSync(folder);

export interface OtlpPayload {
  /** Folder and file. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** All that are JSON; none where the files are not there. */
export function otlpPayloads(): readonly OtlpPayload[] {
  return filesIn('.json');
}

/** What a protobuf exporter sends. */
export function protobufPayloads(): readonly OtlpPayload[] {
  return filesIn('.bin');
}

function filesIn(extension: string): readonly OtlpPayload[] {
  if (!haveOtlpPayloads()) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}
