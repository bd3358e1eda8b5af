// Random states of the time service: settings and sources, with the places to break them at.
import { at, Drawing, onLine, unseen } from './real-programs-drawing.ts';
import type { Drawn, Target } from './real-programs-misses.ts';
import { type Body, USABLE } from './real-programs-saving.ts';
import type { Dice } from './world-dice.ts';

const LABEL = 'a'.repeat(63);
const HOSTS = [
  'time1.lab.test',
  'pool.lab.test',
  'a',
  `${LABEL}.b`,
  'xn--bcher-kva.test',
  '1a.test',
  'offline',
  'iburst',
];
const ADDRESSES = ['192.0.2.7', '203.0.113.9', '2001:db8::7', '10.81.0.99', 'fd81::99'];
const CLIENTS = [
  '10.81.0.0/24',
  '10.0.0.0/8',
  '192.0.2.7',
  'fd81::/64',
  '2001:db8::7',
  'fe80::/10',
  '0.0.0.0/1',
  '::/1',
];

export function drawTime(dice: Dice): Drawn {
  const drawing = new Drawing();
  const allowed_clients = dice.some(CLIENTS, 0.3);
  const body: Body = {
    enabled: dice.chance(0.85),
    hostname: 'ntp.lab.test',
    listen_interfaces: [...new Set([...dice.some(USABLE, 0.3), dice.pick(USABLE)])],
    allowed_clients,
    local_stratum: dice.below(16),
    nts_enabled: dice.chance(0.3),
    minimum_sources: 1 + dice.below(8),
  };
  const line = (directive: string, valid: unknown): Target['write'] => {
    return (content, typed) => content.replace(`${directive} ${valid}\n`, () => `${directive} ${typed}\n`);
  };
  drawing.add(
    { method: 'PATCH', path: '/api/v1/ntp/settings', body },
    at('setting local_stratum', ['local_stratum'], line('local stratum', body.local_stratum)),
    at('setting local_stratum', ['local_stratum'], line('local stratum', body.local_stratum), {
      typed: () => dice.pick([16, 17, -1, 99]),
    }),
    at('setting minimum_sources', ['minimum_sources'], line('minsources', body.minimum_sources)),
    ...allowed_clients.flatMap((text, n) => {
      const saved = (answer: Body): string => answer.allowed_clients[n];
      const write: Target['write'] = (content, typed, answer) => line('allow', saved(answer))(content, typed, answer);
      return [
        at('setting allowed_clients', ['allowed_clients', n], write),
        at('setting allowed_clients with a prefix that is too long', ['allowed_clients', n], write, {
          typed: () => text.replace(/(\/.*)?$/, text.includes(':') ? '/129' : '/33'),
          silent: true,
        }),
        at('setting allowed_clients with host bits', ['allowed_clients', n], write, {
          typed: () => dice.pick(['10.81.0.1/24', 'fd81::1/64']),
          silent: true,
        }),
      ];
    }),
    unseen('listening on an interface that is missing', ['listen_interfaces', 0], () =>
      dice.pick(body.enabled ? ['eth9', 'eth5', 'lo'] : ['eth9', 'lo']),
    ),
    unseen('NTS without a name', [], () => ({ nts_enabled: true, hostname: '', listen_interfaces: ['eth1'] })),
  );
  for (const address of dice.some([...HOSTS, ...ADDRESSES], 0.35)) source(dice, drawing, address);
  return drawing;
}

function source(dice: Dice, drawing: Drawing, address: string): void {
  const named = !/^[\d.]+$|:/.test(address);
  const body = {
    address,
    kind: named ? dice.pick(['server', 'pool', 'Pool']) : 'server',
    nts: named && dice.chance(0.3),
    prefer: dice.chance(0.3),
    enabled: dice.chance(0.9),
  };
  const write = onLine(['address'], () => ` ${address} iburst`);
  const kind: Target['write'] = (content, typed, saved) =>
    content.replace(`${saved.kind} ${address} iburst`, () => `${typed} ${address} iburst`);
  const silent = { silent: true };
  drawing.add(
    { method: 'POST', path: '/api/v1/ntp/sources', body },
    at('source address', ['address'], write),
    at('source address', ['address'], write, {
      typed: () =>
        `${address}${dice.pick([' bogus', ' minpoll', ' 7', ' key x', '\nserver', '\nbogus 1', ' -', '\tx'])}`,
    }),
    at('source kind', ['kind'], kind),
    at('source with an option in its address', ['address'], write, { typed: () => `${address} noselect`, ...silent }),
    at('source of a name with an empty label', ['address'], write, { typed: () => 'a..b', ...silent }),
    at('source that is the appliance itself', ['address'], write, {
      typed: () => dice.pick(['10.81.0.1', 'fd81::1', '127.0.0.1', '::1', 'localhost', '0.0.0.0']),
      ...silent,
    }),
    at('source that no machine is', ['address'], write, {
      typed: () => dice.pick(['224.0.1.1', 'ff02::101', '255.255.255.255', '10.0.0', '1.2.3.4.5', '10.0.0.300']),
      ...silent,
    }),
    ...(named
      ? []
      : [
          at('pool that is an address', ['kind'], kind, { typed: () => 'pool', ...silent }),
          unseen('NTS with an address', ['nts'], () => true),
        ]),
  );
}
