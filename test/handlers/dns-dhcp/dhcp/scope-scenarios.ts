// What is asked of the API of DHCP scopes and what it answers: one row a rule.
import { blockers, code, items, SCOPES, type Scenario } from './scene.ts';

const CREATED = ['dhcp.scope.create'];
const UPDATED = ['dhcp.scope.update'];

/** A scope that could be saved, on its own network of ens224's IPv6 address. */
const six = (more: object = {}) => ({ name: 'six', subnet_cidr: 'fd00:20::/64', interface: 'ens224', ...more });
const off = (more: object = {}) => ({ name: 'new', subnet_cidr: '10.40.0.0/24', enabled: false, ...more });
const draft = (name: string, body: object, pointers: string[], status = 422): Scenario => ({
  name,
  send: ['POST', SCOPES, body],
  status,
  pointers,
});
const lab = (name: string, body: object, pointers: string[], status = 422): Scenario => ({
  name,
  send: ['PATCH', `${SCOPES}/scope_lab`, body],
  status,
  pointers,
});

export const SCOPE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'scopes are listed by name',
    send: ['GET', SCOPES],
    status: 200,
    holds: items({ name: 'lab' }, { name: 'spare' }),
  },
  ...(
    [
      ['name=spare', 'spare'],
      ['interface=ens224', 'lab'],
      ['enabled=false', 'spare'],
      ['address_family=IPv4&enabled=true', 'lab'],
    ] as const
  ).map(
    ([query, name]): Scenario => ({
      name: `scopes are looked up by ${query}`,
      send: ['GET', `${SCOPES}?${query}`],
      status: 200,
      holds: items({ name }),
    }),
  ),
  {
    name: 'a lookup of another kind is refused',
    send: ['GET', `${SCOPES}?enabled=yes`],
    status: 422,
    pointers: ['?enabled'],
  },
  { name: 'a scope that does not exist is not found', send: ['GET', `${SCOPES}/nobody`], status: 404 },
  {
    name: 'a scope is saved canonical, with family and lease time filled; what follows the appliance stays empty',
    send: [
      'POST',
      SCOPES,
      six({ subnet_cidr: 'FD00:20:0::/64', ranges: [{ start: 'fd00:20::0200', end: 'fd00:20::2ff' }] }),
    ],
    status: 201,
    holds: {
      address_family: 'ipv6',
      subnet_cidr: 'fd00:20::/64',
      ranges: [{ start: 'fd00:20::200', end: 'fd00:20::2ff' }],
      gateway: '',
      dns_servers: [],
      ntp_servers: [],
      lease_time: 7200,
      enabled: true,
      revision: 1,
    },
    audited: CREATED,
  },
  {
    name: 'ranges are kept in order',
    send: [
      ...(['POST', SCOPES] as const),
      off({
        ranges: [
          { start: '10.40.0.50', end: '10.40.0.60' },
          { start: '10.40.0.9', end: '10.40.0.9' },
        ],
      }),
    ],
    status: 201,
    holds: {
      ranges: [
        { start: '10.40.0.9', end: '10.40.0.9' },
        { start: '10.40.0.50', end: '10.40.0.60' },
      ],
    },
    audited: CREATED,
  },
  {
    name: 'none gives clients no router',
    send: ['POST', SCOPES, six({ gateway: ' None ' })],
    status: 201,
    holds: { gateway: 'none' },
    audited: CREATED,
  },
  {
    name: 'values of an operator stay',
    send: ['PATCH', `${SCOPES}/scope_lab`, { dns_servers: ['10.9.9.9'], gateway: '10.20.0.253' }],
    status: 200,
    holds: { dns_servers: ['10.9.9.9'], gateway: '10.20.0.253', revision: 4 },
    audited: UPDATED,
  },
  {
    name: 'a scope that stays as it is keeps its revision',
    send: ['PATCH', `${SCOPES}/scope_lab`, { name: 'lab', address_family: 'IPV4', lease_time: 600 }],
    status: 200,
    holds: { revision: 3 },
    audited: UPDATED,
  },
  draft('a scope has a name', off({ name: ' ' }), ['/name']),
  draft('a name has letters, digits and few signs', off({ name: 'lab/1' }), ['/name']),
  draft('a name is given once', off({ name: 'lab' }), ['/name'], 409),
  draft('a family is one of two', off({ address_family: 'ipx' }), ['/address_family']),
  draft('the subnet is of the family', off({ address_family: 'ipv6' }), ['/subnet_cidr']),
  draft('the subnet is a network', off({ subnet_cidr: '10.40.0' }), ['/subnet_cidr']),
  draft('the subnet is one of hosts', off({ subnet_cidr: '224.0.0.0/24' }), ['/subnet_cidr']),
  {
    ...draft('the subnet has no host bits, and the answer names the network', off({ subnet_cidr: '10.40.0.7/24' }), [
      '/subnet_cidr',
    ]),
    holds: { detail: 'Has host bits: the network is 10.40.0.0/24.' },
  },
  draft('a range lies inside the subnet', off({ ranges: [{ start: '10.40.1.1', end: '10.40.0.9' }] }), [
    '/ranges/0/start',
  ]),
  draft('a range does not hold the broadcast address', off({ ranges: [{ start: '10.40.0.1', end: '10.40.0.255' }] }), [
    '/ranges/0/end',
  ]),
  draft('a range does not end before it starts', off({ ranges: [{ start: '10.40.0.9', end: '10.40.0.8' }] }), [
    '/ranges/0/end',
  ]),
  draft('a range is of addresses', off({ ranges: [{ start: 'x', end: 'fd00::1' }] }), [
    '/ranges/0/start',
    '/ranges/0/end',
  ]),
  draft(
    'ranges do not overlap',
    off({
      ranges: [
        { start: '10.40.0.9', end: '10.40.0.20' },
        { start: '10.40.0.20', end: '10.40.0.30' },
      ],
    }),
    ['/ranges/1'],
  ),
  draft('there are 32 ranges at most', off({ ranges: Array.from({ length: 33 }, () => ({ start: '', end: '' })) }), [
    '/ranges',
  ]),
  draft('a gateway lies inside the subnet', off({ gateway: '10.41.0.1' }), ['/gateway']),
  draft('a gateway is no broadcast address', off({ gateway: '10.40.0.255' }), ['/gateway']),
  draft('servers are addresses of the family', off({ dns_servers: ['fd00::1'], ntp_servers: ['ntp.test'] }), [
    '/dns_servers/0',
    '/ntp_servers/0',
  ]),
  {
    name: 'servers that are none are kept as none',
    send: ['PATCH', `${SCOPES}/scope_lab`, { dns_servers: [' None '], ntp_servers: ['none'] }],
    status: 200,
    holds: { dns_servers: ['none'], ntp_servers: ['none'] },
    audited: ['dhcp.scope.update'],
  },
  draft('none stands alone', off({ dns_servers: ['none', '10.9.9.9'] }), ['/dns_servers/0']),
  draft('a server is named once', off({ dns_servers: ['10.9.9.9', '10.9.9.9'] }), ['/dns_servers/1']),
  draft(
    'there are four servers at most',
    off({ ntp_servers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4', '1.1.1.5'] }),
    ['/ntp_servers'],
  ),
  draft('a lease takes two minutes at least', off({ lease_time: 119 }), ['/lease_time']),
  draft('a lease takes a year at most', off({ lease_time: 31_536_001 }), ['/lease_time']),
  draft('a domain is a name', off({ domain: 'lab..test' }), ['/domain']),
  draft('an interface exists, also for a scope that is off', off({ interface: 'ens9' }), ['/interface']),
  draft('an enabled scope has an interface', off({ enabled: true }), ['/interface']),
  draft('an enabled scope serves an interface that is on', off({ enabled: true, interface: 'ens256' }), ['/interface']),
  draft('an enabled scope needs a static address of the family', six({ interface: 'ens192' }), ['/interface']),
  draft('an enabled scope overlaps the network of its interface', off({ enabled: true, interface: 'ens192' }), [
    '/subnet_cidr',
  ]),
  draft(
    'the address of the interface is no gateway of a subnet beside it',
    off({ enabled: true, interface: 'ens192', subnet_cidr: '10.10.0.128/25' }),
    ['/gateway'],
  ),
  {
    ...draft(
      'enabled scopes of a family do not overlap',
      off({ enabled: true, interface: 'ens224', subnet_cidr: '10.20.0.0/25' }),
      ['/subnet_cidr'],
      409,
    ),
    holds: { ...code('state_conflict'), detail: 'Overlaps DHCP scope lab (10.20.0.0/24), which is enabled.' },
  },
  {
    name: 'a scope that is off may overlap',
    send: ['POST', SCOPES, off({ subnet_cidr: '10.20.0.0/25' })],
    status: 201,
    audited: CREATED,
  },
  lab('the family cannot change', { address_family: 'ipv6' }, ['/address_family'], 409),
  lab('what is not known is refused', { subnet: '' }, ['/subnet']),
  lab('what is not cleared is not null', { gateway: null }, ['/gateway']),
  {
    name: 'a stale edit of a scope is refused',
    send: ['PATCH', `${SCOPES}/scope_lab`, { description: 'x' }, { 'if-match': '"r2"' }],
    status: 412,
  },
  lab('a gateway is no reserved address', { gateway: '10.20.0.11' }, ['/gateway'], 409),
  ...(
    [
      ['a scope with enabled reservations is not switched off', ['PATCH', `${SCOPES}/scope_lab`, { enabled: false }]],
      ['a scope with enabled reservations is not deleted', ['DELETE', `${SCOPES}/scope_lab`]],
    ] as const
  ).map(
    ([name, send]): Scenario => ({
      name,
      send: [...send] as Scenario['send'],
      status: 409,
      holds: {
        ...code('still_referenced'),
        ...blockers(
          { subject: 'Reservation esx01', page: '/ui/management/dhcp/reservations/resv_esx' },
          { subject: 'Reservation esx02' },
        ),
      },
    }),
  ),
  {
    name: 'a scope does not shrink away from an enabled reservation',
    send: ['PATCH', `${SCOPES}/scope_lab`, { subnet_cidr: '10.20.0.128/25', ranges: [], gateway: 'none' }],
    status: 409,
    holds: code('still_referenced'),
  },
  {
    name: 'a scope without reservations is deleted',
    send: ['DELETE', `${SCOPES}/scope_spare`],
    status: 204,
    audited: ['dhcp.scope.delete'],
  },
  { name: 'a reader cannot create a scope', by: 'viewer', send: ['POST', SCOPES, off()], status: 403 },
  { name: 'the role for networks cannot read scopes', by: 'network-admin', send: ['GET', SCOPES], status: 403 },
];
