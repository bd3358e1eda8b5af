// Each validator on 10,000 generated inputs: accepted or refused with a Problem, nothing else, and never slow.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { parseAddress, parseCidr } from '../../shared/ground/addresses/address.ts';
import { canonicalZone } from '../../shared/ground/addresses/zone-name.ts';
import { decodeCursor } from '../../shared/ground/store/pagination.ts';
import { parseIfMatch } from '../../shared/ground/store/revision.ts';
import { tokenCreateSchema, userCreateSchema, userUpdateSchema } from '../../shared/kernel/access/schemas.ts';
import { canonicalUpdate } from '../../shared/platform/interfaces/canonical.ts';
import { physicalInterfaceUpdate, vlanCreate, vlanUpdate } from '../../shared/platform/interfaces/interface-schema.ts';
import { canonicalRecord, RECORD_TYPES } from '../../shared/services/dns-dhcp/dns/record-data.ts';
import { canonicalServer, DnsDhcpSettingsSchema } from '../../shared/services/dns-dhcp/settings.ts';
import { acceptsOrRefuses, nearly, RUNS } from '../setup/fuzz.ts';

const address = nearly(
  '10.0.0.1',
  '192.168.10.2/24',
  'fd00:10::5/64',
  '::ffff:10.0.0.1',
  '2001:db8::',
  '255.255.255.255',
  '0.0.0.0/0',
  'fe80::1%eth0',
  '010.1.1.1',
);
const name = nearly(
  'vc01.lab.example',
  '_ldap._tcp.lab.example',
  '10.0.0.1',
  '1.0.10.10.in-addr.arpa',
  '*.lab.example',
  'xn--bcher-kva.example',
  'a..b',
  '-a.b',
);
const value = nearly(
  '10.0.0.1',
  'fd00::1',
  '0 10 389 vc01.lab.example',
  '10 mail.lab.example',
  '0 issue "ca.example"',
  'v=spf1 -all',
  'vc01.lab.example',
  'a"b,c#d\\e',
);

/** Objects with the members that a schema knows, each of any value, and now and then one that it doesn't. */
function bodies(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const known = fc.record(
    Object.fromEntries(Object.entries(members).map(([key, of]) => [key, fc.oneof(of, of, fc.anything())])),
    { requiredKeys: [] },
  );
  return fc.oneof(
    known,
    known,
    fc.tuple(known, fc.dictionary(fc.string(), fc.anything())).map(([a, b]) => ({ ...b, ...a })),
    fc.anything(),
  );
}

const parsed = (schema: v.GenericSchema) => (input: unknown) => v.safeParse(schema, input);
const edit = bodies({
  role: nearly('management', 'access', 'services', ' Storage '),
  mode: nearly('access', 'trunk', 'Routed'),
  ipv4_method: nearly('static', 'dhcp'),
  ipv4_cidr: address,
  ipv4_gateway: address,
  ipv6_enabled: fc.boolean(),
  ipv6_cidr: address,
  ipv6_gateway: address,
  mtu: fc.integer(),
  enabled: fc.boolean(),
  access_management_ui_enabled: fc.boolean(),
});

const VALIDATORS: [string, fc.Arbitrary<unknown>, (input: never) => unknown][] = [
  ['an address', address, (text: string) => parseAddress(text)],
  ['a CIDR', address, (text: string) => parseCidr(text)],
  ['a zone name', name, (text: string) => canonicalZone(text)],
  ...RECORD_TYPES.map((type): [string, fc.Arbitrary<unknown>, (input: never) => unknown] => [
    `a ${type} record`,
    fc.record({ fqdn: name, value }),
    (record: { fqdn: string; value: string }) => canonicalRecord({ ...record, type }),
  ]),
  ['an upstream server', address, (text: string) => canonicalServer(text)],
  [
    'DNS settings',
    bodies({
      listen_interfaces: fc.array(name),
      upstream_servers: fc.array(address),
      ttl_seconds: fc.integer(),
      enabled: fc.boolean(),
    }),
    parsed(v.partial(DnsDhcpSettingsSchema)),
  ],
  [
    'a physical interface update',
    edit,
    (input: unknown) => {
      const result = v.safeParse(physicalInterfaceUpdate, input);
      return result.success ? canonicalUpdate(result.output) : null;
    },
  ],
  [
    'a VLAN',
    bodies({
      parent_interface: name,
      vlan_id: fc.integer(),
      ipv4_cidr: address,
      ipv6_cidr: address,
      mtu: fc.integer(),
    }),
    parsed(vlanCreate),
  ],
  ['a VLAN update', edit, parsed(vlanUpdate)],
  [
    'a token',
    bodies({ name: fc.string(), scopes: fc.array(nearly('read:dns', 'write:pxe')), lifetime_seconds: fc.integer() }),
    parsed(tokenCreateSchema),
  ],
  [
    'a user',
    bodies({ name: nearly('admin', 'root'), role: nearly('viewer'), password: fc.string() }),
    parsed(userCreateSchema),
  ],
  [
    'a user update',
    bodies({ role: nearly('viewer'), enabled: fc.boolean(), password: fc.string() }),
    parsed(userUpdateSchema),
  ],
  ['a cursor', nearly('WyJhIiwiYiJd', 'W10', 'bnVsbA'), (text: string) => decodeCursor(text, 2)],
  ['an If-Match header', nearly('"r17"', 'W/"r17"', '*', '"r1", "r2"'), (text: string) => parseIfMatch(text)],
];

for (const [what, arbitrary, validate] of VALIDATORS) {
  test(`${what}: ${RUNS} inputs`, () => acceptsOrRefuses(arbitrary, validate as (input: unknown) => unknown), 120_000);
}

test('an accepted record stays as it is when it is accepted again', () => {
  fc.assert(
    fc.property(fc.record({ fqdn: name, value }), fc.constantFrom(...RECORD_TYPES), (record, type) => {
      let once: ReturnType<typeof canonicalRecord>;
      try {
        once = canonicalRecord({ ...record, type });
      } catch {
        return;
      }
      expect(canonicalRecord(once)).toEqual(once);
    }),
    { numRuns: RUNS },
  );
}, 120_000);
