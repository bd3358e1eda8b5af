// Random states of the firewall: its settings and rules, and services that want ports, with the places to break them at.
import { at, Drawing, onLine, unseen } from './real-programs-drawing.ts';
import type { Drawn } from './real-programs-misses.ts';
import { type Body, USABLE } from './real-programs-saving.ts';
import type { Dice } from './world-dice.ts';

const NAMES = ['Backups', 'Jump host "A" \\ #1', 'ünïcode → {x}', "it's; drop", '$v @s', 'n'.repeat(60)];
const NETWORKS4 = ['10.0.0.0/8', '10.81.0.0/24', '192.0.2.7', '203.0.113.128/25', '128.0.0.0/1', '0.0.0.0/1'];
const NETWORKS6 = ['fd00::/8', 'fd81::/64', '2001:db8::7', 'fe80::/10', '::/1', 'ff00::/8', '::/127'];
const PORTS = ['22', '8000-8100', '1-65535', '65535', '80, 443,8080-8090', '1,3,5,7,9', '20 21 22', '443,440-450,445'];

const SERVICES: readonly [path: string, ports: (port: () => number) => Body][] = [
  ['kms', (port) => ({ port: port() })],
  ['ldap', (port) => ({ ldaps_port: port(), ldap_port: port(), ldap_enabled: true })],
  ['oidc', (port) => ({ port: port() })],
  ['private-cloud-services', (port) => ({ port: port() })],
  ['network-boot', (port) => ({ http_port: port() })],
  ['certificate-authority', () => ({})],
  [
    'ntp',
    () => ({
      allowed_clients: ['10.81.0.0/24', 'fd81::/64', '10.0.0.0/8'],
      hostname: 'ntp.lab.test',
      nts_enabled: true,
    }),
  ],
  ['dns-dhcp', () => ({ allowed_clients: ['10.82.0.0/24', 'fd82::/64'] })],
];

export function drawFilter(dice: Dice): Drawn {
  const drawing = new Drawing();
  const networks = [...dice.some(NETWORKS4, 0.3), ...dice.some(NETWORKS6, 0.2)];
  drawing.add(
    {
      method: 'PATCH',
      path: '/api/v1/firewall/settings',
      body: { log_denied: dice.chance(0.4), allow_ping: dice.chance(0.5), management_networks: networks },
    },
    ...networks.map((text, n) =>
      at(
        'setting management_networks',
        ['management_networks', n],
        onLine(
          [],
          () => 'management-ui',
          () => text,
        ),
      ),
    ),
    unseen('setting management_networks with host bits', ['management_networks'], () => ['10.0.0.1/8']),
  );
  const port = () => dice.pick([1, 443, 65_535, 1 + dice.below(65_535)]);
  for (const [service, ports] of dice.some(SERVICES, 0.4)) {
    const listen_interfaces = [...new Set([...dice.some(USABLE, 0.4), dice.pick(USABLE)])];
    drawing.add({
      method: 'PATCH',
      path: `/api/v1/${service}/settings`,
      body: { enabled: dice.chance(0.9), listen_interfaces, ...ports(port) },
    });
  }
  datastore(dice, drawing);
  for (let n = dice.below(14); n > 0; n -= 1) rule(dice, drawing, n);
  return drawing;
}

function datastore(dice: Dice, drawing: Drawing): void {
  if (dice.chance(0.6)) return;
  drawing.add({ method: 'PATCH', path: '/api/v1/storage/settings', body: { enabled: true } });
  const device = '/dev/disk/by-id/nvme-eui.1';
  drawing.add({ method: 'POST', path: '/api/v1/storage/volumes', body: { name: 'disk1', device }, as: '@volume' });
  for (const version of dice.some(['3', '4.1'], 0.7)) {
    drawing.add({
      method: 'POST',
      path: '/api/v1/storage/datastores',
      body: {
        name: `iso-${version.replace('.', '-')}`,
        volume_id: '@volume',
        nfs_version: version,
        interface: dice.pick(['eth1', 'eth6.10']),
        address_families: dice.pick([['ipv4'], ['ipv6'], ['ipv4', 'ipv6']]),
        ipv4_clients: dice.some(['10.81.0.0/24', '10.0.0.0/8', '192.0.2.7/32'], 0.4),
        ipv6_clients: dice.some(['fd81::/64', 'fd00::/8'], 0.4),
      },
    });
  }
}

function rule(dice: Dice, drawing: Drawing, n: number): void {
  const family = dice.pick([NETWORKS4, NETWORKS6]);
  const protocol = dice.pick(['tcp', 'udp', 'tcp', 'udp', 'any', 'icmp', 'TCP ']);
  const withPorts = /tcp|udp/i.test(protocol) && dice.chance(0.7);
  const end = () => (dice.chance(0.4) ? dice.pick(family) : '');
  const body: Body = {
    name: `${dice.pick(NAMES)} ${n}`.trim(),
    action: dice.pick(['accept', 'drop', 'reject', 'Reject']),
    direction: dice.pick(['input', 'input', 'forward']),
    interface: dice.chance(0.5) ? dice.pick([...USABLE, 'eth5']) : '',
    source_cidr: end(),
    destination_cidr: end(),
    protocol,
    ports: withPorts ? dice.pick(PORTS) : '',
    log: dice.chance(0.3),
    enabled: dice.chance(0.95),
    ...(dice.chance(0.3) && { position: 1 + dice.below(65_535) }),
  };
  const id = (saved: Body) => saved.id;
  // A single address stands without its prefix, and ports stand apart in braces.
  const bare = (member: string) => (saved: Body) => String(saved[member]).replace(/\/(?:32|128)$/, '');
  const list = (saved: Body) => {
    const ports = String(saved.ports).split(',');
    return ports.length === 1 ? ports[0] : `{ ${ports.join(', ')} }`;
  };
  const ends = (['source_cidr', 'destination_cidr'] as const).filter((member) => body[member] !== '');
  const other = family === NETWORKS4 ? 'fd00::/64' : '10.0.0.0/8';
  drawing.add(
    { method: 'POST', path: '/api/v1/firewall/rules', body },
    at('rule name', ['name'], (content, typed, saved) => content.replace(`# ${saved.name}:`, () => `# ${typed}:`)),
    at('rule action', ['action'], onLine(['action'], id)),
    ...ends.flatMap((member) => [
      at(`rule ${member}`, [member], onLine([member], id, bare(member))),
      at(`rule ${member}`, [member], onLine([member], id, bare(member)), {
        typed: () =>
          dice.pick(['10.0.0.0/33', 'fd00::/129', 'host.invalid', '10.0.0.1-', '10.0.0.9-10.0.0.1', '1.2.3', other]),
      }),
    ]),
    ...(body.interface
      ? [
          at('rule interface', ['interface'], onLine(['interface'], id)),
          at('rule on an interface that is missing', ['interface'], onLine(['interface'], id), {
            typed: () => dice.pick(['eth9', 'eth 1', 'ETH1', '*']),
            silent: true,
          }),
        ]
      : []),
    ...(withPorts
      ? [
          at('rule ports', ['ports'], onLine(['ports'], id, list)),
          at('rule ports', ['ports'], onLine(['ports'], id, list), {
            typed: () =>
              dice.pick(['22-20', '65536', '1-65536', 'nosuch', '22-', '{ 22', '22, 22.5', '-1', '99999999999']),
          }),
          unseen('rule ports without TCP or UDP', ['protocol'], () => dice.pick(['any', 'icmp'])),
          at('rule port 0', ['ports'], onLine(['ports'], id, list), { typed: () => '0', silent: true }),
        ]
      : []),
    ...(ends.length === 2
      ? [
          at(
            'rule of two families',
            ['source_cidr'],
            (content, typed, saved) => {
              const [is, was] = family === NETWORKS4 ? ['ip6', 'ip'] : ['ip', 'ip6'];
              return content.replaceAll(`${was} saddr ${bare('source_cidr')(saved)}`, () => `${is} saddr ${typed}`);
            },
            { typed: () => other },
          ),
        ]
      : []),
    ...(ends.length > 0
      ? [
          at('rule of a network with host bits', [ends[0]!], onLine([ends[0]!], id, bare(ends[0]!)), {
            typed: () => (family === NETWORKS4 ? '10.0.0.1/24' : 'fd00::1/64'),
            silent: true,
          }),
        ]
      : []),
  );
}
