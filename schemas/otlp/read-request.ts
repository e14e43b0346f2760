import { itemBounds, jsonExcess } from '../json-bounds.js';
import { Findings, quoted } from './findings.js';
import { parseText, parseWithoutRounding } from './json-text.js';
import { field, isObject, readResource, readScope, readSpan, type Json } from './read-span.js';
import { longestApplication, type Resource, type Scope, type Span, type SpanBlock } from './span-block.js';

/** The result of a body: the spans that were accepted, and why others were not. */
export interface ReadTraces {
  readonly blocks: readonly SpanBlock[];
  readonly accepted: number;
  readonly rejected: number;
  /** The first few reasons, each with the path in the body. */
  readonly reasons: readonly string[];
}

/** The whole body can't be used; the message says why, and what to send instead. */
export class UnreadableTraces extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableTraces';
  }
}

/** The largest block, so that its Kafka record has a size that every reader accepts. */
const blockCharacters = 256 * 1024;
const blockSpans = 500;
/** A character takes at most six bytes in JSON, seven in nested JSON: a line of this size is below 16 MiB. */
const largestSpan = 512 * 1024;
const mostReasons = 5;
/** OpenTelemetry's name for a service that has not reported one. */
const unnamed = 'unknown_service';
/**
 * The most characters of a block's resource and scope, counted once per trace, because each trace gets them
 * in a separate record.
 */
const copiedCharacters = 1024 * 1024;

/**
 * Reads an OTLP/JSON ExportTraceServiceRequest. A span that can't be accepted is counted with its reason, and
 * does not affect others. Throws UnreadableTraces if nothing in the body is recognisable.
 *
 * @param application from the request's path; by default, the resource's `service.name`.
 */
export function readTraces(bytes: Buffer, application?: string): ReadTraces {
  if (bytes.length === 0) throw new UnreadableTraces('The body is empty. Send an OTLP/JSON trace request.');
  if (jsonExcess(bytes, itemBounds) !== undefined)
    throw new UnreadableTraces('The body is nested too deeply for a trace.');
  const { text, value } = parsed(bytes);
  const reader = new RequestReader(application);
  reader.read(value);
  if (!reader.rounded) return reader.result();
  const exact = new RequestReader(application);
  exact.read(parseWithoutRounding(text));
  return exact.result();
}

function parsed(bytes: Buffer): { readonly text: string; readonly value: unknown } {
  try {
    return parseText(bytes);
  } catch {
    throw new UnreadableTraces('The body is not valid JSON, or contains more than one document.');
  }
}

/** The names of the list of spans by scope: the current one, protobuf's, and those from before 2022. */
const scopeLists = [
  'scopeSpans',
  'scope_spans',
  'instrumentationLibrarySpans',
  'instrumentation_library_spans',
] as const;

class RequestReader {
  private readonly blocks: SpanBlock[] = [];
  private readonly reasons: string[] = [];
  private readonly findings = new Findings();
  private accepted = 0;
  private rejected = 0;
  private unrecognised: string | undefined;

  constructor(private readonly application: string | undefined) {}

  get rounded(): boolean {
    return this.findings.rounded;
  }

  result(): ReadTraces {
    const { blocks, accepted, rejected, reasons, unrecognised } = this;
    if (accepted + rejected === 0 && unrecognised !== undefined) throw new UnreadableTraces(unrecognised);
    return { blocks, accepted, rejected, reasons };
  }

  read(body: unknown): void {
    if (!isObject(body)) throw new UnreadableTraces(`The body must be a JSON object. ${wanted}`);
    const resources = field(body, 'resourceSpans', 'resource_spans');
    const older = body['instrumentationLibrarySpans'];
    if (resources === undefined && older !== undefined) {
      const { resource } = body;
      this.readResourceSpans({ resource, instrumentationLibrarySpans: older }, 'body');
      return;
    }
    if (resources === undefined && Object.keys(body).length > 0)
      throw new UnreadableTraces(
        `The body has ${quoted(Object.keys(body)[0])}, but no resourceSpans. ${wanted}`,
      );
    this.each(resources, 'resourceSpans', (element, path) => this.readResourceSpans(element, path));
  }

  private readResourceSpans(given: Json, path: string): void {
    const lists = scopeLists.filter((name) => given[name] !== undefined);
    if (lists.length === 0 && Object.keys(given).some((name) => !resourceSpansFields.has(name)))
      this.notRecognised(`${path} has ${quoted(Object.keys(given)[0])}, but no scopeSpans.`);
    const { findings } = this;
    findings.clear();
    const resource = readResource(given['resource'], field(given, 'schemaUrl', 'schema_url'), findings);
    const problem = findings.problem ?? tooLarge('resource', findings.characters);
    const { characters } = findings;
    const application = this.application ?? nameOf(resource);
    for (const name of lists) {
      this.each(given[name], `${path}.${name}`, (element, at) => {
        this.readScopeSpans(element, at, { application, resource, characters, problem });
      });
    }
  }

  private readScopeSpans(given: Json, path: string, of: OfResource): void {
    const { findings } = this;
    findings.clear();
    const scope = readScope(
      given['scope'] ?? field(given, 'instrumentationLibrary', 'instrumentation_library'),
      field(given, 'schemaUrl', 'schema_url'),
      findings,
    );
    const problem = of.problem ?? findings.problem ?? tooLarge('scope', findings.characters);
    const spans = given['spans'];
    if (spans === undefined && Object.keys(given).some((name) => !scopeSpansFields.has(name)))
      this.notRecognised(`${path} has ${quoted(Object.keys(given)[0])}, but no spans.`);
    if (spans === undefined || spans === null) return;
    if (!Array.isArray(spans)) this.refuse(`${path}.spans is not an array`);
    else if (problem !== undefined && spans.length > 0) this.refuse(`${path}: ${problem}`, spans.length);
    else
      this.readSpans(spans, `${path}.spans`, { ...of, scope, copied: of.characters + findings.characters });
  }

  private readSpans(given: readonly unknown[], path: string, of: OfScope): void {
    const { findings } = this;
    let spans: Span[] = [];
    let characters = 0;
    const mayGrow = of.copied * blockSpans > copiedCharacters;
    const traces = new Set<string>();
    const close = (): void => {
      if (spans.length > 0) this.blocks.push(blockOf(of, of.scope, spans));
      spans = [];
      characters = 0;
    };
    for (let index = 0; index < given.length; index++) {
      findings.clear();
      const span = readSpan(given[index], findings);
      const problem = findings.problem ?? tooLarge('span', findings.characters);
      if (problem !== undefined) {
        this.refuse(`${path}[${index}]: ${problem}`);
        continue;
      }
      const copied = mayGrow ? traces.add(span.trace_id).size * of.copied : 0;
      const isFull = spans.length >= blockSpans || characters + findings.characters > blockCharacters;
      if (isFull || copied > copiedCharacters) {
        close();
        traces.clear();
        traces.add(span.trace_id);
      }
      spans.push(span);
      characters += findings.characters;
      this.accepted += 1;
    }
    close();
  }

  private each(given: unknown, path: string, read: (element: Json, path: string) => void): void {
    if (given === undefined || given === null) return;
    if (!Array.isArray(given)) {
      this.notRecognised(`${path} is not an array: ${quoted(given)}.`);
      return;
    }
    given.forEach((element: unknown, index) => {
      const at = `${path}[${index}]`;
      if (isObject(element)) read(element, at);
      else this.notRecognised(`${at} is not an object: ${quoted(element)}.`);
    });
  }

  /**
   * Reports something that might have contained spans. If there is nothing else in the body, the body is
   * refused; otherwise, this is a warning.
   */
  private notRecognised(reason: string): void {
    this.unrecognised ??= reason;
    this.note(reason);
  }

  private refuse(reason: string, spans = 1): void {
    this.rejected += spans;
    this.note(reason);
  }

  private note(reason: string): void {
    if (this.reasons.length < mostReasons) this.reasons.push(reason);
  }
}

const wanted = 'Send {"resourceSpans":[…]}, as OTLP/JSON defines it.';
const resourceSpansFields: ReadonlySet<string> = new Set(['resource', 'schemaUrl', 'schema_url']);
const scopeSpansFields: ReadonlySet<string> = new Set(['scope', 'schemaUrl', 'schema_url']);

interface OfResource {
  readonly application: string;
  readonly resource: Resource;
  /** Characters of the resource. */
  readonly characters: number;
  readonly problem: string | undefined;
}

interface OfScope extends OfResource {
  readonly scope: Scope;
  /** Characters of the resource and the scope. */
  readonly copied: number;
}

function blockOf({ application, resource }: OfResource, scope: Scope, spans: readonly Span[]): SpanBlock {
  return {
    application,
    ...(isEmpty(resource) ? {} : { resource }),
    ...(isEmpty(scope) ? {} : { scope }),
    spans,
  };
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

function tooLarge(what: string, characters: number): string | undefined {
  return characters > largestSpan ? `the ${what} has more than ${largestSpan} characters` : undefined;
}

function nameOf({ attributes }: Resource): string {
  const index = attributes?.keys.indexOf('service.name') ?? -1;
  const name = attributes?.values[index] ?? '';
  if (name.length > longestApplication) return Array.from(name).slice(0, longestApplication).join('');
  return name === '' ? unnamed : name;
}
