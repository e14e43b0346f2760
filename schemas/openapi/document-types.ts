/** The part of OpenAPI 3.1 that the edge's document uses. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly SecurityRequirement[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly securitySchemes: Readonly<Record<string, Json>>;
  };
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Schema = Readonly<Record<string, Json>>;
type SecurityRequirement = Readonly<Record<string, readonly string[]>>;
export type HttpMethod = 'get' | 'post' | 'delete';
export type PathItem = Readonly<Partial<Record<HttpMethod, Operation>>>;

export interface Reference {
  readonly $ref: string;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly (ParameterObject | Reference)[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: Json;
}

export interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, HeaderObject | Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly links?: Readonly<Record<string, LinkObject>>;
}

/** A link from a value in this answer: runtime expressions by the parameter names of the other operation. */
export interface LinkObject {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly description: string;
}

export interface MediaType {
  readonly schema: Schema;
  readonly example?: Json;
}

export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const headerRef = (name: string): Reference => ({ $ref: `#/components/headers/${name}` });
export const responseRef = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });
export const parameterRef = (name: string): Reference => ({ $ref: `#/components/parameters/${name}` });
