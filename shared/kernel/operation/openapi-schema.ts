// From Valibot schemas to JSON Schema 2020-12 as OpenAPI 3.1 uses it. Named schemas become references; requests are
// closed, answers are open, so that a client which ignores unknown members survives an addition.
import { toJsonSchema } from '@valibot/to-json-schema';
import type { SchemaObject } from 'openapi3-ts/oas31';
import type { GenericSchema } from 'valibot';
import { components } from '../../ground/schemas/component.ts';

export type Face = 'input' | 'output';

/** Checks by code and changes of spelling. JSON Schema can't express them; the description does. */
const BEYOND_JSON_SCHEMA = new Set([
  'check',
  'raw_check',
  'partial_check',
  'check_items',
  'trim',
  'to_lower_case',
  'to_upper_case',
  'normalize',
  'transform',
  'raw_transform',
  'brand',
  'readonly',
]);

type JsonSchema = ReturnType<typeof toJsonSchema>;

/**
 * Collects the named schemas that a document uses and converts each once.
 * @throws Error for a schema that JSON Schema can't express, or a name that means different things on its two faces.
 */
export class SchemaCollector {
  readonly #used = new Map<string, SchemaObject>();

  /** The schema as it is written at its place: a reference when it has a name. */
  convert(schema: GenericSchema, face: Face): SchemaObject {
    const {
      $defs = {},
      $schema: _dialect,
      ...converted
    } = toJsonSchema(schema as never, {
      target: 'draft-2020-12',
      typeMode: face,
      definitions: namesWithin(schema) as never,
      overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
      overrideAction: ({ valibotAction, jsonSchema, errors }) => {
        if (BEYOND_JSON_SCHEMA.has(valibotAction.type)) return jsonSchema;
        if (valibotAction.type === 'regex')
          return withPattern(jsonSchema, (valibotAction as unknown as { requirement: RegExp }).requirement, errors);
        return undefined;
      },
    });
    for (const [name, definition] of Object.entries($defs)) this.#add(name, tidy(definition as JsonSchema, face));
    return tidy(converted, face);
  }

  /** Named schemas in alphabetical order. */
  components(): Record<string, SchemaObject> {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #add(name: string, schema: SchemaObject): void {
    const known = this.#used.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`The schema ${name} reads differently in requests and answers: give each its own name.`);
    }
    this.#used.set(name, schema);
  }
}

/** The named schemas that a schema is, or has somewhere inside. */
function namesWithin(
  schema: unknown,
  found: Record<string, GenericSchema> = {},
  seen = new Set<unknown>(),
): typeof found {
  if (schema === null || typeof schema !== 'object' || seen.has(schema)) return found;
  seen.add(schema);
  const name = components().get(schema as GenericSchema);
  if (name) found[name] = schema as GenericSchema;
  for (const inner of Object.values(schema)) namesWithin(inner, found, seen);
  return found;
}

/**
 * JSON Schema's patterns are Unicode and have no flags. A second pattern of one string goes beside the first.
 * Ignoring case has no counterpart, so that such a pattern is left to the description.
 */
function withPattern(schema: JsonSchema, pattern: RegExp, errors: readonly string[] | undefined): JsonSchema {
  if (pattern.flags.includes('i')) {
    const { pattern: _dropped, ...rest } = schema;
    return rest;
  }
  new RegExp(pattern.source, 'u'); // throws when it means nothing to a validator
  const second = errors?.some((error) => error.includes('in combination'));
  return second ? { ...schema, allOf: [...(schema.allOf ?? []), { pattern: pattern.source }] } : schema;
}

/** Drops empty members, shortens "or null", and lets objects of answers have unknown members. */
function tidy(node: unknown, face: Face): SchemaObject {
  return walk(node, face) as SchemaObject;
}

function walk(node: unknown, face: Face): unknown {
  if (Array.isArray(node)) return node.map((item) => walk(item, face));
  if (node === null || typeof node !== 'object') return node;
  const schema: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'required' && Array.isArray(value) && value.length === 0) continue;
    if (key === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') continue;
    if (key === 'additionalProperties' && (JSON.stringify(value) === '{}' || (value === false && face === 'output')))
      continue;
    schema[key] = walk(value, face);
  }
  if (schema.enum) for (const bound of ['minLength', 'maxLength', 'pattern']) delete schema[bound];
  return orNull(schema);
}

/** `anyOf: [{type: X}, {type: null}]` → `type: [X, null]`, which client generators read better. */
function orNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...outside } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || (anyOf[1] as SchemaObject).type !== 'null') return schema;
  const inner = anyOf[0] as Record<string, unknown>;
  if (typeof inner.type !== 'string' || inner.const !== undefined) return schema;
  const values = Array.isArray(inner.enum) ? { enum: [...inner.enum, null] } : {};
  return { ...inner, ...outside, type: [inner.type, 'null'], ...values };
}
