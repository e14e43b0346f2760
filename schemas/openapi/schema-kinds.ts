import type { ParameterObject, Schema } from './document-types.js';

/** Schemas that many operations use. */
export const text: Schema = { type: 'string' };
export const nullableText: Schema = { type: ['string', 'null'] };
export const count: Schema = { type: 'integer', minimum: 0 };
export const nullableCount: Schema = { type: ['integer', 'null'], minimum: 0 };
export const nullableNumber: Schema = { type: ['number', 'null'] };
export const milliseconds: Schema = { type: 'number', minimum: 0 };
export const timestamp: Schema = { type: 'string', format: 'date-time' };
export const nullableTimestamp: Schema = { type: ['string', 'null'], format: 'date-time' };
export const next: Schema = {
  type: ['string', 'null'],
  description: '`cursor` of the next page; null at the end.',
};

/** An object with exactly these properties, all of them required. */
export function closed(properties: Readonly<Record<string, Schema>>, description?: string): Schema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** An optional query parameter. */
export const inQuery = (name: string, description: string, schema: Schema): ParameterObject => ({
  ...{ name, in: 'query', required: false },
  description,
  schema,
});
