// DHCP options beyond the members of a scope: for one scope, or for all scopes of a family.
import * as v from 'valibot';
import { type FieldError, invalid, Problem } from '../../../ground/problems.ts';
import { component, described, idSchema, integerSchema, listOf, text } from '../../../ground/schemas/component.ts';
import type { Database } from '../../../ground/store/database.ts';
import { FAMILIES } from '../../../platform/interfaces/refresh/change.ts';
import type { AddressFamily } from '../../../platform/interfaces/refresh/snapshot.ts';
import { type Collection, type Kept, told } from '../../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../../platform/units/kept-members.ts';
import { addressFamily, familySchema } from './members.ts';
import { optionValueFault } from './option-values.ts';
import { dhcpScopes } from './scopes.ts';
import { FAMILY_NAME } from './subnet-values.ts';

export interface DhcpOption extends Kept {
  /** Null: every scope of the family. */
  scope_id: string | null;
  address_family: AddressFamily;
  code: number;
  value: string;
}

/** RFC 2132 and RFC 8415: 0 and 255 are padding and end of an IPv4 message. */
const CODES = { ipv4: 254, ipv6: 65_535 } as const;

const PROTOCOL = 'is part of the protocol itself and cannot be set';
const given = (member: string): string => `is given by the member ${member} of the scope`;

/** Codes that are set elsewhere. */
const ELSEWHERE: Record<AddressFamily, ReadonlyMap<number, string>> = {
  ipv4: new Map([
    [1, given('subnet_cidr')],
    [3, given('gateway')],
    [6, given('dns_servers')],
    [15, given('domain')],
    [42, given('ntp_servers')],
    [51, given('lease_time')],
    ...[50, 53, 54, 55, 61, 82].map((code): [number, string] => [code, PROTOCOL]),
  ]),
  ipv6: new Map([
    [23, given('dns_servers')],
    [24, given('domain')],
    [31, given('ntp_servers')],
    [56, given('ntp_servers')],
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 25, 26].map((code): [number, string] => [code, PROTOCOL]),
  ]),
};

const scopeId = v.nullable(
  v.pipe(v.string(), v.maxLength(64), v.description('Id of the scope; null: every scope of the family.')),
);
const code = v.pipe(
  v.number(),
  v.integer('Must be a whole number.'),
  v.minValue(1, 'At least 1.'),
  v.maxValue(CODES.ipv6, `At most ${CODES.ipv6}.`),
  v.description(`Number of the option: 1 to ${CODES.ipv4}, for IPv6 1 to ${CODES.ipv6}.`),
);
const value = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'A value is missing.'),
  v.maxLength(240, 'At most 240 characters.'),
  v.regex(/^[\x20-\x7e]*$/, 'Only printable ASCII characters are accepted.'),
  v.description(
    'As dnsmasq writes it: items separated by commas, addresses of IPv6 in brackets. Options that hold addresses take nothing else, and what looks like a list of addresses has to be one. 1 to 240 printable ASCII characters.',
  ),
);
const family = addressFamily('That of the scope, which is the default; ipv4 is the default for every scope.');
const choices = {
  scope_id: v.optional(scopeId),
  address_family: v.optional(family),
  enabled: v.optional(enabledMember('saved, but not sent.')),
  description: v.optional(descriptionMember),
};

const item = component(
  'DhcpOption',
  v.object({
    id: idSchema,
    scope_id: described(v.nullable(v.string()), 'Null: every scope of the family.'),
    address_family: familySchema,
    code: described(integerSchema, 'Number of the option.'),
    value: text('As dnsmasq writes it.'),
    ...KEPT_MEMBERS,
  }),
);

export const dhcpOptions: Collection<DhcpOption> = {
  table: 'dhcp_option',
  prefix: 'option',
  noun: 'DHCP option',
  tag: 'DHCP',
  resource: 'dhcp',
  path: '/api/v1/dhcp/options',
  param: 'option_id',
  pages: { all: 'dhcp-options', one: 'dhcp-option', home: 'dhcp' },
  listed: { component: 'DhcpOptions', noun: 'option', nouns: 'options' },
  imports: {
    key: ['scope_id', 'address_family', 'code'],
    names: { scope: { of: 'scope_id', collection: () => dhcpScopes, member: 'name' } },
  },
  action: 'dhcp.option',
  columns: { scope_id: 'nullable', address_family: 'text', code: 'integer', value: 'text' },
  order: ['address_family', 'code'],
  lookups: ['scope_id', 'code'],
  immutable: [],
  defaults: { scope_id: null },
  schemas: {
    item,
    list: listOf('DhcpOptionList', item),
    create: component('DhcpOptionCreate', v.strictObject({ code, value, ...choices }), {
      code: 26,
      value: '9000',
      scope_id: 'scope_h7k2m9p4q6r8s3t5',
      description: 'MTU of the storage network',
    }),
    update: component(
      'DhcpOptionUpdate',
      v.strictObject({ code: v.optional(code), value: v.optional(value), ...choices }),
      { value: '1500' },
    ),
  },
  title: ({ code, address_family }) => `${code} (${FAMILY_NAME[address_family]})`,
  facts: told('scope_id', 'address_family', 'code', 'value', 'enabled'),
  async settle(tx, next) {
    const { scopeFamily, others } = await around(tx, next);
    const option = { ...next, address_family: next.address_family ?? scopeFamily ?? 'ipv4' };
    const faults = faultsOf(option, scopeFamily);
    if (faults.length > 0) throw invalid(...faults);
    if (others.includes(option.address_family)) {
      const detail = `The option ${option.code} is set for ${next.scope_id === null ? 'every scope' : 'this scope'} already.`;
      throw new Problem('already_exists', detail, { errors: [{ pointer: '/code', detail }] });
    }
    return option;
  },
};

/** The family of the scope, and the families in which another option has the same code there. */
const AROUND = `SELECT 'scope' AS kind, address_family FROM dhcp_scope WHERE id = ?1
  UNION ALL SELECT 'other', address_family FROM dhcp_option
    WHERE coalesce(scope_id, '') = ?1 AND address_family IN (${FAMILIES.map((each) => `'${each}'`).join(', ')})
      AND code = ?2 AND id <> ?3`;

async function around(
  db: Database,
  { id, scope_id, code }: DhcpOption,
): Promise<{ scopeFamily: AddressFamily | null; others: AddressFamily[] }> {
  const rows = await db.all<{ kind: string; address_family: AddressFamily }>(AROUND, [scope_id ?? '', code, id]);
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map(({ address_family }) => address_family);
  return { scopeFamily: of('scope')[0] ?? null, others: of('other') };
}

function faultsOf(
  { scope_id, address_family, code, value }: DhcpOption,
  scopeFamily: AddressFamily | null,
): FieldError[] {
  if (scope_id !== null && scopeFamily === null) {
    return [{ pointer: '/scope_id', detail: 'This DHCP scope does not exist.' }];
  }
  const name = FAMILY_NAME[address_family];
  if (scopeFamily !== null && scopeFamily !== address_family) {
    return [{ pointer: '/address_family', detail: `The scope is one of ${FAMILY_NAME[scopeFamily]}, not of ${name}.` }];
  }
  if (code > CODES[address_family])
    return [{ pointer: '/code', detail: `At most ${CODES[address_family]} for ${name}.` }];
  const elsewhere = ELSEWHERE[address_family].get(code);
  if (elsewhere !== undefined) return [{ pointer: '/code', detail: `Option ${code} ${elsewhere}.` }];
  const fault = optionValueFault(address_family, code, value);
  return fault === null ? [] : [{ pointer: '/value', detail: fault }];
}
