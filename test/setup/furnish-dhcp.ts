// DHCP of the lab: a scope with a pool, one with two and no gateway, one that is off; options and reservations.
type Call = (method: string, path: string, body: unknown) => Promise<{ id: string }>;

const SCOPES = [
  {
    name: 'management',
    interface: 'ens256.20',
    subnet_cidr: '172.16.20.0/24',
    ranges: [{ start: '172.16.20.100', end: '172.16.20.199' }],
    domain: 'lab.example',
  },
  {
    name: 'vmotion',
    interface: 'ens256.30',
    subnet_cidr: '172.16.30.0/24',
    ranges: [
      { start: '172.16.30.64', end: '172.16.30.95' },
      { start: '172.16.30.128', end: '172.16.30.191' },
    ],
    gateway: 'none',
  },
  {
    name: 'tenants',
    subnet_cidr: 'fd00:20::/64',
    ranges: [{ start: 'fd00:20::1000', end: 'fd00:20::1fff' }],
    enabled: false,
  },
];

const CODES = [
  { code: 119, value: 'lab.example,site-b.lab.example', description: 'Search list' },
  { code: 26, value: '9000', enabled: false },
];

/** Answers a value for each path parameter of its pages. */
export async function furnishDhcp(call: Call): Promise<Record<string, string>> {
  await call('PATCH', '/api/v1/dhcp/settings', { enabled: true });
  const scopes: { id: string }[] = [];
  for (const scope of SCOPES) scopes.push(await call('POST', '/api/v1/dhcp/scopes', scope));
  const scope_id = scopes[0]!.id;
  const option = await call('POST', '/api/v1/dhcp/options', { scope_id, code: 66, value: '172.16.20.2' });
  for (const each of CODES) await call('POST', '/api/v1/dhcp/options', each);
  let reservation = { id: '' };
  for (const last of [31, 32, 33, 34]) {
    reservation = await call('POST', '/api/v1/dhcp/reservations', {
      hostname: `esx${last}`,
      mac_address: `00:50:56:0a:14:${last}`,
      ip_address: `172.16.20.${last}`,
      register_dns: last % 2 === 0,
    });
  }
  return { scope_id, option_id: option.id, reservation_id: reservation.id };
}
