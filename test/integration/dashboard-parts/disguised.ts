import { readFileSync } from 'node:fs';
import { mostLiteralFirst } from '../../support/most-literal.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}
interface Answer {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema; readonly example: unknown } };
}
interface Operation {
  readonly responses: Readonly<Record<string, Answer>>;
}
interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * The document's example answer for each path (of its GET, otherwise of its POST), but with these texts in
 * every field that takes arbitrary text. Each list has one row per text, even if the example's is empty.
 */
export function disguisedAnswers(texts: readonly string[]): (path: string) => unknown {
  const document = JSON.parse(readFileSync('schemas/openapi/edge.json', 'utf8')) as ApiDocument;
  const disguise = new Disguise(document.components.schemas, texts);
  const answers = mostLiteralFirst(Object.keys(document.paths)).flatMap((path) => {
    const { get, post } = document.paths[path] ?? {};
    const json = (get ?? post)?.responses['200']?.content?.['application/json'];
    const form = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return json === undefined ? [] : [{ path, form, ...json }];
  });
  return (asked) => {
    // A literal path wins over a pattern.
    const { schema, example } =
      answers.find(({ path }) => path === asked) ?? answers.find(({ form }) => form.test(asked)) ?? {};
    return schema === undefined ? undefined : disguise.of(schema, example);
  };
}

class Disguise {
  private at = 0;

  constructor(
    private readonly schemas: Readonly<Record<string, Schema>>,
    private readonly texts: readonly string[],
  ) {}

  /** `depth` is 0 for an answer, and 1 for its lists. */
  of(given: Schema, value: unknown, depth = 0): unknown {
    const schema = this.chosen(given, value);
    if (isFree(schema)) return this.texts[this.at++ % this.texts.length];
    if (Array.isArray(value)) return this.rows(schema.items ?? {}, value, depth);
    if (typeof value !== 'object' || value === null) return value;
    const { properties = {}, additionalProperties: others = {} } = schema;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const known = properties[name];
        // A changed cursor would make the page request the next page.
        if (name === 'next') return [name, one];
        if (known !== undefined) return [name, this.of(known, one, depth + 1)];
        return [
          this.texts[this.at++ % this.texts.length],
          typeof others === 'object' ? this.of(others, one, depth + 1) : one,
        ];
      }),
    );
  }

  private rows(schema: Schema, given: readonly unknown[], depth: number): readonly unknown[] {
    const isOfRows = this.resolved(schema).properties !== undefined;
    const rows = isOfRows && given.length === 0 ? [this.sampleOf(schema)] : given;
    if (depth !== 1 || !isOfRows) return rows.map((row) => this.of(schema, row, depth + 1));
    const begin = this.at;
    // Over all rows, each field has every text.
    return this.texts.map((_, index) => {
      this.at = begin + index;
      return this.of(schema, rows[index % rows.length], depth + 1);
    });
  }

  private sampleOf(given: Schema): unknown {
    const schema = this.resolved(given);
    if (schema.anyOf !== undefined) return this.sampleOf(schema.anyOf[0] ?? {});
    if (schema.enum !== undefined) return schema.enum[0];
    const [type] = [schema.type ?? []].flat();
    if (type === 'object')
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, one]) => [name, this.sampleOf(one)]),
      );
    if (type === 'array') return [];
    if (type === 'boolean') return false;
    if (type === 'string') return schema.format === 'date-time' ? '2026-01-02T03:04:00.000Z' : 'some';
    return schema.minimum ?? 1;
  }

  private chosen(given: Schema, value: unknown): Schema {
    const schema = this.resolved(given);
    const alternatives = (schema.anyOf ?? []).map((one) => this.resolved(one));
    if (alternatives.length === 0) return schema;
    const kind = Array.isArray(value) ? 'array' : typeof value;
    const isOfKind = ({ type = [] }: Schema): boolean => [type].flat().includes(kind);
    return alternatives.find((one) => (value === null ? isFree(one) : isOfKind(one))) ?? {};
  }

  private resolved(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : (this.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  }
}

const isFree = ({ type = [], ...of }: Schema): boolean =>
  [type].flat().includes('string') &&
  [of.enum, of.const, of.format, of.pattern].every((limit) => limit === undefined);
