// The OpenAPI document of a run, ready to hold answers against. Made once for all test files of a worker.
import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIObject, OperationObject } from 'openapi3-ts/oas31';

type Schema = Record<string, unknown>;

/** Name of the schema that holds those of the document that have a name. */
const DEFINITIONS = 'definitions';
const require = createRequire(import.meta.url);

export class Published {
  readonly document: OpenAPIObject;
  readonly #operations: ReadonlyMap<string, OperationObject>;
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #ajv: Ajv2020;

  constructor(document: OpenAPIObject) {
    this.document = document;
    const operations = Object.values(document.paths ?? {}).flatMap((methods) =>
      Object.values(methods as Record<string, OperationObject>),
    );
    this.#operations = new Map(operations.map((operation) => [operation.operationId!, operation]));
    const { Ajv2020: Validators } = require('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 };
    this.#ajv = new Validators({ strict: false, allErrors: true });
    (require('ajv-formats') as (ajv: Ajv2020) => void)(this.#ajv);
    // Once for all answers: each of them names some.
    this.#ajv.addSchema({ $id: DEFINITIONS, $defs: referring(closed(document.components?.schemas ?? {}), '#/$defs/') });
  }

  operation(id: string): OperationObject | undefined {
    return this.#operations.get(id);
  }

  /** What is wrong with a body, by the schema of the answer that `key` names; empty for a proper one. */
  faults(key: string, schema: Schema, body: unknown): string {
    let validate = this.#validators.get(key);
    if (!validate) {
      validate = this.#ajv.compile(referring(closed(schema), `${DEFINITIONS}#/$defs/`));
      this.#validators.set(key, validate);
    }
    return validate(body) ? '' : this.#ajv.errorsText(validate.errors, { dataVar: 'body' });
  }
}

const made = new Map<string, Published>();

/**
 * The document that `text` gives, as JSON. Asked for once for each `key`: parsed here it belongs to the worker, and keeps
 * nothing of the test file that asked first.
 */
export function published(key: string, text: () => string): Published {
  let found = made.get(key);
  if (!found) {
    found = new Published(JSON.parse(text()) as OpenAPIObject);
    made.set(key, found);
  }
  return found;
}

/** The same schema, with its references to where the named schemas are. */
function referring(schema: unknown, place: string): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${place}`)) as Schema;
}

/** The same schema, taking no member that it does not name. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (schema === null || typeof schema !== 'object') return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (copy.type === 'object' && copy.properties && copy.additionalProperties === undefined)
    copy.additionalProperties = false;
  return copy as T;
}
