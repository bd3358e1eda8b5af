// What is asked of DHCP options, reservations and the legacy binding, and what is answered: one row a rule.
import { blockers, code, items, LEGACY, OPTIONS, RESERVATIONS, type Scenario } from './scene.ts';

const option = (more: object) => ({ code: 67, value: 'boot', ...more });
const noOption = (name: string, body: object, pointer: string, status = 422): Scenario => ({
  name,
  send: ['POST', OPTIONS, body],
  status,
  pointers: [pointer],
});

export const OPTION_SCENARIOS: readonly Scenario[] = [
  {
    name: 'options are looked up by scope and code',
    send: ['GET', `${OPTIONS}?scope_id=scope_lab&code=66`],
    status: 200,
    holds: items({ id: 'option_tftp', scope_id: 'scope_lab', code: 66 }),
  },
  {
    name: 'an option has the family of its scope',
    send: ['POST', OPTIONS, option({ scope_id: 'scope_lab' })],
    status: 201,
    holds: { address_family: 'ipv4', scope_id: 'scope_lab', revision: 1 },
    audited: ['dhcp.option.create'],
  },
  {
    name: 'an option of every scope is one of IPv4 unless it says otherwise',
    send: ['POST', OPTIONS, option({ code: 66 })],
    status: 201,
    holds: { address_family: 'ipv4', scope_id: null },
    audited: ['dhcp.option.create'],
  },
  {
    name: 'an option of IPv6 has a larger number',
    send: ['POST', OPTIONS, option({ code: 60_000, address_family: 'IPv6' })],
    status: 201,
    holds: { address_family: 'ipv6', code: 60_000 },
    audited: ['dhcp.option.create'],
  },
  noOption('an option of IPv4 has a number up to 254', option({ code: 255 }), '/code'),
  noOption('an option has a number from 1', option({ code: 0 }), '/code'),
  noOption('an option has a value', option({ value: '  ' }), '/value'),
  noOption('a value is printable', option({ value: 'a\nb' }), '/value'),
  noOption('the scope of an option exists', option({ scope_id: 'nobody' }), '/scope_id'),
  noOption(
    'an option is of the family of its scope',
    option({ scope_id: 'scope_lab', address_family: 'ipv6' }),
    '/address_family',
  ),
  noOption('an option is set once for a scope', option({ scope_id: 'scope_lab', code: 66 }), '/code', 409),
  ...[1, 3, 6, 15, 42, 51, 53, 54].map((number) =>
    noOption(`option ${number} has another place`, option({ code: number }), '/code'),
  ),
  ...[23, 24, 31].map((number) =>
    noOption(`option ${number} of IPv6 has another place`, option({ code: number, address_family: 'ipv6' }), '/code'),
  ),
  {
    name: 'the refusal of a code names the member to use',
    send: ['POST', OPTIONS, option({ code: 6 })],
    status: 422,
    pointers: ['/code'],
    holds: { detail: 'Option 6 is given by the member dns_servers of the scope.' },
  },
  {
    name: 'an option moves to every scope',
    send: ['PATCH', `${OPTIONS}/option_tftp`, { scope_id: null }],
    status: 200,
    holds: { scope_id: null, revision: 2 },
    audited: ['dhcp.option.update'],
  },
  {
    name: 'an option that stays as it is keeps its revision',
    send: ['PATCH', `${OPTIONS}/option_tftp`, { value: 'tftp.lab.test' }],
    status: 200,
    holds: { revision: 1 },
    audited: ['dhcp.option.update'],
  },
  {
    name: 'an option is deleted',
    send: ['DELETE', `${OPTIONS}/option_tftp`],
    status: 204,
    audited: ['dhcp.option.delete'],
  },
];

const machine = (more: object = {}) => ({
  hostname: 'vc01',
  mac_address: '00:50:56:01:00:20',
  ip_address: '10.20.0.20',
  ...more,
});
const refused = (name: string, body: object, pointer: string, status = 422): Scenario => ({
  name,
  send: ['POST', RESERVATIONS, body],
  status,
  pointers: [pointer],
});
const MADE = ['dhcp.reservation.create'];
const CHANGED = ['dhcp.reservation.update'];

export const RESERVATION_SCENARIOS: readonly Scenario[] = [
  ...['hostname=ESX01.', 'mac_address=0050.5601.0001', 'ip_address=10.20.0.11'].map(
    (query): Scenario => ({
      name: `reservations are looked up in any spelling: ${query}`,
      send: ['GET', `${RESERVATIONS}?${query}`],
      status: 200,
      holds: items({ id: 'resv_esx' }),
    }),
  ),
  ...['00-50-56-01-00-20', '0050.5601.0020', '00:50:56:01:00:20'].map(
    (mac_address): Scenario => ({
      name: `a reservation is saved canonical: ${mac_address}`,
      send: ['POST', RESERVATIONS, machine({ hostname: 'VC01.Lab.test.', mac_address })],
      status: 201,
      holds: {
        hostname: 'vc01.lab.test',
        mac_address: '00:50:56:01:00:20',
        address_family: 'ipv4',
        register_dns: false,
        owner: null,
        revision: 1,
      },
      audited: MADE,
    }),
  ),
  refused('a host name is one', machine({ hostname: 'a_b' }), '/hostname'),
  refused('a hardware address is one', machine({ mac_address: '00:50' }), '/mac_address'),
  refused('a hardware address is no group', machine({ mac_address: '01:00:5e:00:00:01' }), '/mac_address'),
  refused('an address is one', machine({ ip_address: '10.20.0' }), '/ip_address'),
  refused('an enabled reservation lies in an enabled scope', machine({ ip_address: '10.30.0.9' }), '/ip_address'),
  refused('an enabled reservation is that of a host', machine({ ip_address: '10.20.0.255' }), '/ip_address'),
  refused(
    'an enabled reservation is not that of the gateway',
    machine({ ip_address: '10.20.0.254' }),
    '/ip_address',
    409,
  ),
  refused(
    'an enabled reservation is not that of an interface',
    machine({ ip_address: '10.20.0.1' }),
    '/ip_address',
    409,
  ),
  refused('an address is reserved once', machine({ ip_address: '10.20.0.11' }), '/ip_address', 409),
  refused(
    'a hardware address is reserved once in a family',
    machine({ mac_address: '00:50:56:01:00:01' }),
    '/mac_address',
    409,
  ),
  {
    name: 'a reservation that is off may lie anywhere',
    send: ['POST', RESERVATIONS, machine({ ip_address: '10.99.0.1', enabled: false })],
    status: 201,
    audited: MADE,
  },
  refused(
    'a registered name lies in a managed zone',
    machine({ hostname: 'vc02.elsewhere.test', register_dns: true }),
    '/register_dns',
  ),
  refused('a registered record has one owner', machine({ register_dns: true }), '/register_dns', 409),
  {
    name: 'a reservation of a host of network boot is edited there, and the answer names its page',
    send: ['PATCH', `${RESERVATIONS}/resv_host`, { ip_address: '10.20.0.13' }],
    status: 409,
    holds: {
      ...code('state_conflict'),
      ...blockers({ subject: 'ESXi host esx02', page: '/ui/management/network-boot/hosts/host_two' }),
    },
  },
  {
    name: 'a reservation of a host of network boot is deleted there',
    send: ['DELETE', `${RESERVATIONS}/resv_host`],
    status: 409,
    holds: code('state_conflict'),
  },
  {
    name: 'the description of a reservation of a host of network boot is the operator’s',
    send: ['PATCH', `${RESERVATIONS}/resv_host`, { description: 'rack 4', hostname: 'ESX02' }],
    status: 200,
    holds: {
      description: 'rack 4',
      owner: { source: 'network_boot_host', ref: 'host_two', component: 'esx02' },
      revision: 4,
    },
    audited: CHANGED,
  },
  {
    name: 'a reservation that stays as it is keeps its revision',
    send: ['PATCH', `${RESERVATIONS}/resv_esx`, { mac_address: '00-50-56-01-00-01' }],
    status: 200,
    holds: { revision: 3 },
    audited: CHANGED,
  },
  {
    name: 'the owner of a reservation cannot be sent',
    send: ['POST', RESERVATIONS, machine({ owner: null })],
    status: 422,
    pointers: ['/owner'],
  },
  {
    name: 'a reservation is deleted',
    send: ['DELETE', `${RESERVATIONS}/resv_esx`],
    status: 204,
    audited: ['dhcp.reservation.delete'],
  },
];

const binding = (name: string, body: object, pointers: string[], status = 422): Scenario => ({
  name,
  send: ['PATCH', LEGACY, body],
  status,
  pointers,
});

export const LEGACY_SCENARIOS: readonly Scenario[] = [
  {
    name: 'the legacy binding has defaults',
    send: ['GET', LEGACY],
    status: 200,
    holds: { enabled: false, interface: '', subnet_cidr: '', lease_time: 43_200, revision: 0, updated_at: null },
  },
  {
    name: 'the legacy binding follows the appliance like a scope',
    send: ['PATCH', LEGACY, { enabled: true, interface: 'ens224', subnet_cidr: '10.20.0.0/24' }],
    status: 200,
    holds: { gateway: '', dns_servers: [], ntp_servers: [], revision: 1 },
    audited: ['dhcp.legacy-binding.update'],
  },
  {
    name: 'a legacy binding that stays as it is keeps its revision',
    send: ['PATCH', LEGACY, { enabled: false, domain: '' }],
    status: 200,
    holds: { revision: 0 },
    audited: ['dhcp.legacy-binding.update'],
  },
  binding('a legacy binding that is on has an interface', { enabled: true, subnet_cidr: '10.20.0.0/24' }, [
    '/interface',
  ]),
  binding('a legacy binding that is on has a subnet', { enabled: true, interface: 'ens224' }, ['/subnet_cidr']),
  binding('the legacy binding is one of IPv4', { subnet_cidr: 'fd00:20::/64' }, ['/subnet_cidr']),
  binding('ranges of the legacy binding need a subnet', { ranges: [{ start: '10.20.0.9', end: '10.20.0.9' }] }, [
    '/ranges',
  ]),
  {
    name: 'a stale edit of it is refused',
    send: ['PATCH', LEGACY, { domain: 'x.test' }, { 'if-match': '"r4"' }],
    status: 412,
  },
];
