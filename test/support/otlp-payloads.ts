import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Requests of clients and of other projects' tests. The files are next to the repository, not part of it. */
const folder = resolve('../shared/data/agent/otlp');

export const haveOtlpPayloads = (): boolean => existsSync(folder);

export interface OtlpPayload {
  /** Folder and file. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** All requests in JSON; none if the files are missing. */
export function otlpPayloads(): readonly OtlpPayload[] {
  return filesIn('.json');
}

/** Requests of protobuf exporters. */
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
