// The document as those need it who make clients of it: fixed sets are enums, and each body has an example.

import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OperationObject, ParameterObject, RequestBodyObject, SchemaObject } from 'openapi3-ts/oas31';
import * as v from 'valibot';
import { operations } from '../../runtime/generated/operations.ts';
import { JOB_KINDS } from '../../shared/appliance/job-kinds.ts';
import { TAGS } from '../../shared/appliance/tags.ts';
import { exampleOf } from '../../shared/ground/schemas/component.ts';
import { JOB_KIND_NAMES } from '../../shared/kernel/jobs/kind.ts';
import { openApiDocument } from '../../shared/kernel/operation/openapi.ts';
import { EFFECTS } from '../../shared/kernel/operation/operation.ts';
import { House } from '../setup/house.ts';

const document = openApiDocument(operations, { base_url: '', version: '1.2.3', tags: TAGS });
const published = Object.values(document.paths ?? {}).flatMap((methods) =>
  Object.values(methods as Record<string, OperationObject>),
);
const specs = operations.map(({ spec }) => spec).filter(({ plane, legacy }) => plane === 'api' && !legacy);

interface Place {
  /** `DnsRecord/owner/source`, `listVlans/role` */
  place: string;
  name: string;
  schema: SchemaObject;
  /** Of a parameter: its description stands beside the schema. */
  told?: string;
}

/** Every property of every schema, also of those without a name; and every schema of a parameter. */
function places(): Place[] {
  const found: Place[] = [];
  const visit = (node: unknown, place: string): void => {
    if (node === null || typeof node !== 'object') return;
    const { properties = {}, ...rest } = node as SchemaObject;
    for (const [name, schema] of Object.entries(properties)) {
      found.push({ place: `${place}/${name}`, name, schema: schema as SchemaObject });
      visit(schema, `${place}/${name}`);
    }
    for (const [key, inner] of Object.entries(rest)) {
      if (key !== 'examples' && key !== 'enum') visit(inner, place);
    }
  };
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) visit(schema, name);
  for (const operation of published) {
    visit(operation.requestBody, operation.operationId!);
    visit(operation.responses, operation.operationId!);
    for (const parameter of (operation.parameters ?? []) as ParameterObject[]) {
      if (!parameter.schema) continue;
      const { name, schema, description = '' } = parameter;
      found.push({
        place: `${operation.operationId}/${name}`,
        name,
        schema: schema as SchemaObject,
        told: description,
      });
    }
  }
  return found;
}

const all = places();

describe('a description', () => {
  const MOST = 1200;
  type Described = { description?: string; $ref?: string; anyOf?: Described[] };
  const named = ({ $ref = '' }: Described): Described =>
    (document.components?.schemas?.[$ref.split('/').pop()!] as Described | undefined) ?? {};
  const said = (schema: Described): string => schema.description ?? named(schema).description ?? '';

  test('stands at every property and every parameter', () => {
    expect(all.length).toBeGreaterThan(1000);
    expect(all.filter(({ schema, told }) => !(told ?? said(schema as Described))).map(({ place }) => place)).toEqual(
      [],
    );
    const shared = Object.values(document.components?.parameters ?? {}) as ParameterObject[];
    expect(shared.filter(({ description }) => !description)).toEqual([]);
  });

  test('stands at every answer and header, and says more than that it went well', () => {
    const responses = [
      ...published.flatMap(({ operationId, responses = {} }) =>
        Object.entries(responses as Record<string, Described>).map(([status, each]) => ({
          place: `${operationId} ${status}`,
          each,
        })),
      ),
      ...Object.entries((document.components?.responses ?? {}) as Record<string, Described>).map(([place, each]) => ({
        place,
        each,
      })),
      ...Object.entries((document.components?.headers ?? {}) as Record<string, Described>).map(([place, each]) => ({
        place,
        each,
      })),
    ].filter(({ each }) => !each.$ref);
    const thin = /^(?:ok|success|done|accepted|created|(?:the|a) \w+)\.?$/i;
    const short = responses.filter(
      ({ each: { description = '' } }) => thin.test(description) || description.length < 10,
    );
    expect(short.map(({ place }) => place)).toEqual([]);
  });

  test('is a sentence', () => {
    const texts = all.map(({ place, schema, told }) => [place, told ?? said(schema as Described)] as const);
    expect(texts.filter(([, text]) => !text.endsWith('.') || text.length > MOST).map(([place]) => place)).toEqual([]);
  });
});

test.each(published.map((operation) => [operation.operationId!, operation] as const))(
  '%s states one kind of effect',
  (id, operation) => {
    const { effect } = specs.find((spec) => spec.id === id)!;
    expect(operation['x-effect']).toBe(effect);
    const others = Object.entries(EFFECTS).filter(([kind, said]) => kind !== effect && !EFFECTS[effect].includes(said));
    const description = operation.description!.toLowerCase();
    expect(description.split(EFFECTS[effect]).length).toBe(2);
    expect(others.filter(([, said]) => description.includes(said))).toEqual([]);
  },
);

describe('a body', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const atDefinitions = (schema: unknown) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/$defs/')) as object;
  const $defs = atDefinitions(document.components?.schemas ?? {});
  const withBody = specs.filter(({ body }) => body !== undefined);

  test.each(withBody.map((spec) => [spec.id, spec] as const))('of %s has an example that is accepted', (id, spec) => {
    const { requestBody } = published.find(({ operationId }) => operationId === id)!;
    const { schema, example } = (requestBody as RequestBodyObject).content['application/json']!;
    expect(example).toBeDefined();
    expect(v.safeParse(spec.body!, example).issues).toBeUndefined();
    const validate = ajv.compile({ ...atDefinitions(schema), $defs });
    expect([validate(example), validate.errors]).toEqual([true, null]);
  });

  test('names in its example only what is reserved for examples', () => {
    const text = JSON.stringify(withBody.map(({ body }) => exampleOf(body!)));
    const addresses = text.match(/\b\d+\.\d+\.\d+\.\d+(?!\.?\d)/g) ?? [];
    expect(addresses.length).toBeGreaterThan(10);
    expect(addresses.filter((one) => !/^(?:192\.0\.2|198\.51\.100|203\.0\.113)\./.test(one))).toEqual([]);
    expect(
      (text.match(/[0-9a-f]{1,4}:[0-9a-f:]*::[0-9a-f/]*/g) ?? []).filter((one) => !one.startsWith('2001:db8:')),
    ).toEqual([]);
  });
});

describe('a fixed set of words', () => {
  type Schema = Record<string, unknown> & { type?: string };
  const FIXED = new Set(['picklist', 'enum', 'literal']);
  const isFixed = ({ type = '' }: Schema) => FIXED.has(type);

  /** Schemas that accept a fixed set while the document can't see it: behind a transformation, or beside any text. */
  function unseen(schema: Schema, place: string, seen = new Set<Schema>()): string[] {
    if (seen.has(schema)) return [];
    seen.add(schema);
    const pipe = (schema.pipe as Schema[] | undefined) ?? [];
    const behind = pipe.findIndex((step, at) => at > 0 && isFixed(step));
    const said = pipe
      .slice(0, behind)
      .some(({ type, metadata }) => type === 'metadata' && Object.hasOwn(metadata as object, 'enum'));
    const options = schema.type === 'union' ? (schema.options as Schema[]) : [];
    const beside = options.some(isFixed) && options.some(({ type }) => type === 'string');
    const inner: [string, Schema][] = [
      ...Object.entries((schema.entries as Record<string, Schema> | undefined) ?? {}),
      ...[schema.item, schema.wrapped, schema.value, ...options, ...pipe.slice(1)].map((each): [string, Schema] => [
        '',
        each as Schema,
      ]),
    ];
    return [
      ...((behind > 0 && !said) || beside ? [place] : []),
      ...inner.flatMap(([name, each]) => (each ? unseen(each, name ? `${place}/${name}` : place, seen) : [])),
    ];
  }

  test('is an enum however leniently it is read', () => {
    const found = specs.flatMap(({ id, params, query, body, answers }) =>
      [params, query, body, ...Object.values(answers).map(({ schema }) => schema)].flatMap((schema) =>
        schema ? unseen(schema as unknown as Schema, id) : [],
      ),
    );
    expect(found).toEqual([]);
  });

  /** Names that are a fixed set elsewhere and something else here. */
  const OPEN = [
    'AuditEvent/action',
    'listAuditEvents/action',
    'AuditEvent/resource/type',
    'PasskeyBegin/origin',
    'ProblemDetails/type',
    // Those of the other provider.
    'SignInProvider/scopes',
    'SignInProviderPut/scopes',
    'TotpConfirm/code',
    'DepotAppliance/fault/code',
    'DepotUpload/fault/code',
    'listDhcpOptions/code',
    'BootMedium/source',
    'ManagementCertificateUploaded/key_algorithm',
    'AdoptedDrift/moves/property',
    'InterfaceImpact/moves/property',
    // Of NFS there are two; of products and protocols, whatever they say.
    'DepotAppliance/ova/product/version',
    'DepotAppliance/version',
    'DepotApplianceList/items/version',
    'KmsRequestList/items/version',
    // What a disk carries, as udev names it.
    'StorageDiskContent/type',
  ];

  test('is one wherever a property of that name is', () => {
    const texts = ({ schema }: Place): SchemaObject =>
      (schema.type === 'array' ? (schema.items as SchemaObject) : schema) ?? {};
    const words = new Set(all.filter((each) => texts(each).enum).map(({ name }) => name));
    words.delete('id');
    const open = all.filter(
      (each) => words.has(each.name) && [texts(each).type].flat().includes('string') && !texts(each).enum,
    );
    expect(open.map(({ place }) => place).sort()).toEqual([...OPEN].sort());
  });

  test('is refused in a query when it is misspelt, and read in any case where the filter forgives it', async () => {
    const house = await House.open();
    try {
      const { token } = await house.actor('admin');
      const lists = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
        path.includes('{')
          ? []
          : [(methods as { get?: OperationObject }).get ?? []].flat().map((get) => ({ path, get })),
      );
      const filters = lists.flatMap(({ path, get }) =>
        ((get.parameters ?? []) as ParameterObject[])
          .filter(({ schema }) => schema && (schema as SchemaObject).enum)
          .map(({ name }) => ({ path, name })),
      );
      expect(filters.length).toBeGreaterThan(10);
      for (const { path, name } of filters) {
        const heard = await house.send('GET', `${path}?${name}=nonsense`, { token });
        expect([path, name, heard.status]).toEqual([path, name, 422]);
      }
      for (const [path, query] of [
        ['vlans', 'role=Route'],
        ['dns/records', 'type=aaaa'],
        ['dhcp/scopes', 'address_family=IPv6'],
        ['firewall/rules', 'action=DROP'],
      ]) {
        expect([path, (await house.send('GET', `/api/v1/${path}?${query}`, { token })).status]).toEqual([path, 200]);
      }
    } finally {
      await house.close();
    }
  });

  test('holds each kind of jobs that runs', () => {
    expect(JOB_KINDS.map(({ kind }) => kind).sort()).toEqual([...JOB_KIND_NAMES].sort());
  });
});
