// The document by itself: everything published and nothing else, schemas that a validator accepts, examples that fit,
// and that the tools around it notice what they are there for.

import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OperationObject, ParameterObject, ResponseObject } from 'openapi3-ts/oas31';
import * as v from 'valibot';
import { findings, refusedMarkup } from '../../build/openapi.ts';
import { operations } from '../../runtime/generated/operations.ts';
import { TAGS } from '../../shared/appliance/tags.ts';
import { ERROR_CODES } from '../../shared/ground/problems.ts';
import { component, PAGE_QUERY } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { openApiDocument } from '../../shared/kernel/operation/openapi.ts';
import { problemsOf } from '../../shared/kernel/operation/openapi-problems.ts';
import { SchemaCollector } from '../../shared/kernel/operation/openapi-schema.ts';
import { takesDryRun } from '../../shared/kernel/operation/operation.ts';
import { DocumentCheck, problemFaults } from '../setup/document-check.ts';

const document = openApiDocument(operations, { base_url: 'https://gc01.lab.test', version: '1.2.3', tags: TAGS });
const published = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, OperationObject>).map(([method, operation]) => ({
    path,
    method,
    operation,
  })),
);
const schemas = (document.components?.schemas ?? {}) as Record<string, object>;

function validator(schema: object) {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    keywords: ['example'],
  });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const text = JSON.stringify({ ...schema, $defs: schemas }).replaceAll('"#/components/schemas/', '"#/$defs/');
  return ajv.compile(JSON.parse(text) as object);
}

describe('the document', () => {
  test('holds every operation of the API plane but the legacy ones, and no other', () => {
    const api = operations
      .filter(({ spec }) => spec.plane === 'api' && !spec.legacy)
      .map(({ spec }) => `${spec.method} ${spec.path} ${spec.id}`);
    expect(
      published.map(({ method, path, operation }) => `${method.toUpperCase()} ${path} ${operation.operationId}`).sort(),
    ).toEqual(api.sort());
  });

  test('says of each operation what it needs, what it does, and every refusal with an example', () => {
    for (const { spec } of operations.filter(({ spec }) => spec.plane === 'api' && !spec.legacy)) {
      const { operation } = published.find(({ operation }) => operation.operationId === spec.id)!;
      const scope = 'scope' in (spec.access as object) ? (spec.access as { scope: string }).scope : '';
      expect(operation).toMatchObject({ 'x-effect': spec.effect, tags: [spec.tag] });
      const any = scope === 'any';
      expect(operation.security).toEqual(any ? undefined : [{ bearer: [scope] }]);
      expect((operation as Record<string, unknown>)['x-required-scope']).toBe(any ? undefined : scope);
      expect(operation.description).toContain(any ? 'Scope: none; any token that works.' : `Scope: \`${scope}\`.`);
      const listed = Object.values(operation.responses ?? {}).flatMap((response) => {
        const { $ref } = response as { $ref?: string };
        const shared = $ref ? document.components?.responses?.[$ref.split('/').pop()!] : response;
        return Object.keys((shared as ResponseObject).content?.['application/problem+json']?.examples ?? {});
      });
      expect(listed.sort()).toEqual([...problemsOf(spec)].sort());
    }
  });

  test('has a parameter for each of the path, and a dry run for each desired state and what else says so', () => {
    for (const { path, operation } of published) {
      const names = (operation.parameters ?? []).map((parameter) =>
        '$ref' in parameter ? parameter.$ref.split('/').pop()! : (parameter as ParameterObject).name,
      );
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(names).toContain(name);
      const { spec } = operations.find(({ spec }) => spec.id === operation.operationId)!;
      expect(names.includes('dry_run')).toBe(takesDryRun(spec));
    }
  });

  test.each(Object.keys(schemas))('has a schema %s that a strict validator takes', (name) => {
    expect(() => validator({ $ref: `#/components/schemas/${name}` })).not.toThrow();
  });

  test('has an example of each listed code that fits ProblemDetails', () => {
    const validate = validator({ $ref: '#/components/schemas/ProblemDetails' });
    const examples = Object.entries(document.components?.examples ?? {}) as [
      string,
      { value: { error_code: string; type: string } },
    ][];
    for (const [code, { value }] of examples) {
      expect([code, validate(value), validate.errors]).toEqual([code, true, null]);
      expect([value.error_code, value.type]).toEqual([
        code,
        `https://gc01.lab.test/problems/${ERROR_CODES[code as keyof typeof ERROR_CODES][0]}`,
      ]);
    }
    expect(examples.length).toBeGreaterThan(20);
  });

  test('is the same whatever the order of the operations', () => {
    const reversed = openApiDocument([...operations].reverse(), {
      base_url: 'https://gc01.lab.test',
      version: '1.2.3',
      tags: TAGS,
    });
    expect(JSON.stringify(reversed)).toBe(JSON.stringify(document));
  });

  test('has no finding', () => {
    expect(findings(document)).toEqual([]);
  });
});

describe('a description', () => {
  test.each([
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a Markdown table'],
    ['a | b\n---|:---', 'a Markdown table'],
    ['Press <b>now</b>.', 'raw HTML'],
    ['<!-- hidden -->', 'raw HTML'],
    ['A `read:<resource>` or `a | b`; 1 < 2 and 3 > 2.', null],
  ])('with %j is refused for %s', (text, reason) => {
    expect(refusedMarkup(text)).toBe(reason);
  });
});

describe('a schema', () => {
  const convert = (schema: v.GenericSchema, face: 'input' | 'output' = 'input') =>
    new SchemaCollector().convert(schema, face);

  test.each<[string, v.GenericSchema, object]>([
    [
      'or null is a list of types',
      v.nullable(v.pipe(v.string(), v.maxLength(3))),
      { type: ['string', 'null'], maxLength: 3 },
    ],
    [
      'of words or null allows null among them',
      v.nullable(v.picklist(['a', 'b'])),
      { type: ['string', 'null'], enum: ['a', 'b', null] },
    ],
    [
      'loses what only code can check',
      v.pipe(
        v.string(),
        v.trim(),
        v.check(() => true),
        v.maxLength(3),
      ),
      { type: 'string', maxLength: 3 },
    ],
    ['keeps a Unicode pattern', v.pipe(v.string(), v.regex(/^\p{L}+$/u)), { type: 'string', pattern: '^\\p{L}+$' }],
    ['loses a pattern that ignores case', v.pipe(v.string(), v.regex(/^a$/i)), { type: 'string' }],
    [
      'has two patterns side by side',
      v.pipe(v.string(), v.regex(/a/), v.regex(/b/)),
      { type: 'string', pattern: 'a', allOf: [{ pattern: 'b' }] },
    ],
    [
      'of a request is closed',
      v.strictObject({ a: v.optional(v.string()) }),
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
    ],
    [
      'that is a union stays one',
      v.union([v.picklist(['a']), v.string()]),
      { anyOf: [{ enum: ['a'], type: 'string' }, { type: 'string' }] },
    ],
  ])('%s', (_name, schema, expected) => {
    expect(convert(schema)).toEqual(expected);
  });

  test('of an answer is open', () => {
    expect(convert(v.strictObject({ a: v.string() }), 'output')).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
  });

  test('with a name becomes a component, once', () => {
    const inner = component('ContractInner', v.object({ a: v.string() }));
    const outer = component('ContractOuter', v.object({ items: v.array(inner), first: v.nullable(inner) }));
    const collector = new SchemaCollector();
    expect(collector.convert(outer, 'output')).toEqual({ $ref: '#/components/schemas/ContractOuter' });
    expect(collector.components()).toEqual({
      ContractInner: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      ContractOuter: {
        type: 'object',
        properties: {
          items: { type: 'array', items: { $ref: '#/components/schemas/ContractInner' } },
          first: { anyOf: [{ $ref: '#/components/schemas/ContractInner' }, { type: 'null' }] },
        },
        required: ['items', 'first'],
      },
    });
  });

  test('with one name and two meanings is refused', () => {
    const named = component('ContractTwoFaces', v.strictObject({ a: v.string() }));
    const collector = new SchemaCollector();
    collector.convert(named, 'input');
    expect(() => collector.convert(named, 'output')).toThrow('ContractTwoFaces reads differently');
  });

  test.each([v.date(), v.bigint(), v.custom(() => true)])('that JSON has no word for is refused', (schema) => {
    expect(() => convert(schema)).toThrow();
  });
});

test('an operation is published from its declaration alone', () => {
  const sample = defineOperation({
    id: 'contractSample',
    method: 'GET',
    path: '/api/v1/samples',
    plane: 'api',
    access: { scope: 'read:dns' },
    effect: 'read',
    tag: 'Nothing yet',
    summary: 'List samples',
    description: 'Has <b>markup</b>.',
    query: v.strictObject({
      ...PAGE_QUERY,
      type: v.optional(v.pipe(v.picklist(['A', 'AAAA']), v.description('Only this type.'))),
    }),
    answers: { 200: { description: 'The samples.', schema: v.object({ items: v.array(v.string()) }) } },
    problems: ['invalid_cursor'],
    run: async () => ({ body: { items: [] } }),
  });
  const made = openApiDocument([sample], { base_url: '', version: '1', tags: TAGS });
  const samples = made.paths?.['/api/v1/samples'] as unknown as { get: OperationObject };
  const { parameters } = samples.get;
  expect(parameters).toEqual([
    { $ref: '#/components/parameters/limit' },
    { $ref: '#/components/parameters/cursor' },
    {
      name: 'type',
      in: 'query',
      required: false,
      description: 'Only this type.',
      schema: { type: 'string', enum: ['A', 'AAAA'] },
    },
    { $ref: '#/components/parameters/X-Request-ID' },
  ]);
  expect(findings(made)).toEqual([
    'tag Nothing yet: has no description; add it to the manifest of its unit, or to shared/appliance/tags.ts',
    '/paths//api/v1/samples/get/description: has raw HTML',
  ]);
});

describe('the check that every test’s answers go through', () => {
  const user = {
    id: 'user_1',
    name: 'ada',
    role: 'admin',
    enabled: true,
    external: false,
    created_at: '2026-03-02T09:41:07.512Z',
    updated_at: '2026-03-02T09:41:07.512Z',
    revision: 1,
  };

  test.each<[string, number, unknown, string | null]>([
    ['takes what is declared', 200, user, null],
    [
      'finds a member that nobody declared',
      200,
      { ...user, password_hash: 'x' },
      'must NOT have additional properties',
    ],
    ['finds one deep inside', 200, { ...user, role: 'root' }, 'body/role must be equal to one of the allowed values'],
    ['finds a missing member', 200, { ...user, revision: undefined }, 'required property'],
    ['finds a wrong type', 200, { ...user, revision: 1.5 }, 'body/revision must be integer'],
    ['finds a status that is not declared', 202, user, 'answered 202'],
  ])('%s', (_what, status, body, fault) => {
    const check = new DocumentCheck(operations);
    check.answered('getUser', status, JSON.parse(JSON.stringify(body)));
    if (fault === null) expect(check.faults).toEqual([]);
    else expect(() => check.settle()).toThrow(fault);
  });

  test('finds what is wrong with a refusal', () => {
    const headers = {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-request-id': 'req_1',
    };
    const problem = {
      type: 'https://gc/problems/not-found',
      title: 'Not found',
      status: 404,
      detail: 'It does not exist.',
      instance: '/api/v1/users/x',
      error_code: 'resource_not_found',
      request_id: 'req_1',
    };
    const faults = (changed: object, status = 404) =>
      problemFaults({ statusCode: status, headers, body: JSON.stringify({ ...problem, ...changed }) }).length;
    expect(faults({})).toBe(0);
    for (const changed of [
      { request_id: 'req_2' },
      { type: '/x' },
      { error_code: 'nothing' },
      { title: 'No' },
      { detail: '' },
      { cause: 'x' },
    ]) {
      expect([changed, faults(changed)]).toEqual([changed, expect.any(Number)]);
      expect(faults(changed)).toBeGreaterThan(0);
    }
    expect(faults({}, 409)).toBeGreaterThan(0);
  });
});
