// What the guard of the appliance's root programs lets through: everything that the units write, and nothing beyond.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { companions } from '../../../../build/source-tree.ts';
import { hostFiles } from '../../../../shared/appliance/generated/host-files.ts';
import { daemonRefusal, fileRefusal, pathRefusal, programRefusal } from '../../../../shared/appliance/host-guard.ts';
import { readerArguments } from '../../../../shared/platform/host/networkd.ts';
import { QUESTIONS, questionFor } from '../../../../shared/platform/host/system-questions.ts';
import { content } from '../../../../shared/services/firewall/render.ts';
import { ruleSet } from '../../../../shared/services/firewall/rule-set.ts';
import { anyDesired } from '../../../fixtures/firewall/desired.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const fixture = (path: string): string => readFileSync(join(FIXTURES, path), 'utf8');
const NETWORK = '/etc/systemd/network/40-groundcrew-ens192.network';
const NETDEV = '/etc/systemd/network/40-groundcrew-ens192.20.netdev';
const DNSMASQ = '/etc/groundcrew/dnsmasq/dnsmasq.conf';
const CHRONY = '/etc/groundcrew/chrony/chrony.conf';
const CLIENTS = '/etc/groundcrew/chrony/conf.d/clients.conf';
const LOCAL = '/etc/groundcrew/chrony/conf.d/local.conf';
const SERVERS = '/etc/groundcrew/dnsmasq/servers';
const SOURCES = '/etc/groundcrew/chrony/sources/groundcrew.sources';
const BOOT = '/etc/groundcrew/dnsmasq.d/network-boot.conf';
const RESERVATIONS = '/etc/groundcrew/dnsmasq/dhcp/reservations';
const OPTIONS = '/etc/groundcrew/dnsmasq/dhcp/options';
const LEASES = '/var/lib/groundcrew/dnsmasq/leases';
const FILTER = '/etc/groundcrew/nftables/groundcrew.nft';

/** Golden files of the units, with the path that each has on the appliance. */
const GOLDEN: [path: string, content: string][] = [
  ...readdirSync(join(FIXTURES, 'dns-dhcp'))
    .filter((name) => name.endsWith('dnsmasq.conf'))
    .map((name): [string, string] => [DNSMASQ, fixture(`dns-dhcp/${name}`)]),
  ['/etc/groundcrew/dnsmasq/hosts/records', fixture('dns-dhcp/records')],
  [SERVERS, fixture('dns-dhcp/servers')],
  ['/etc/groundcrew/dnsmasq/dhcp/options', fixture('dns-dhcp/dhcp-with-names-options')],
  ['/etc/groundcrew/dnsmasq/dhcp/reservations', fixture('dns-dhcp/dhcp-with-names-reservations')],
  [FILTER, fixture('firewall/groundcrew.nft')],
  [FILTER, fixture('firewall/least.nft')],
  [BOOT, fixture('network-boot/network-boot.conf')],
  ['/etc/groundcrew/network-boot/manifest.json', fixture('network-boot/manifest.json')],
  ...fixture('network/networkd.txt')
    .split(/^### (?=\/)/m)
    .slice(1)
    .map((part): [string, string] => [part.split(' ', 1)[0]!, part.slice(part.indexOf('\n') + 1)]),
];

test('every golden file of the units passes', () => {
  expect(GOLDEN.length).toBeGreaterThan(8);
  for (const [path, content] of GOLDEN) {
    expect([path, fileRefusal({ path, content, mode: 0o644 })]).toEqual([path, null]);
  }
});

test('a rule of the packet filter names as many networks as there are', () => {
  const networks = Array.from({ length: 4_094 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`).join(', ');
  const rule = (set: string) =>
    `\t\tiifname "lab0" ip saddr { ${set} } udp dport 53 counter accept comment "dns-dhcp udp4"`;
  const refusal = (line: string) => fileRefusal({ path: FILTER, content: line, mode: 0o644 });
  expect(refusal(rule(networks))).toBeNull();
  expect(refusal(rule(`${networks}; include "/etc/shadow"`))).not.toBeNull();
});

describe('files that no unit writes are refused', () => {
  test.each([
    ['another path', '/etc/passwd', 'root::0:0::/:/bin/sh'],
    ['a path that climbs', '/etc/systemd/network/40-groundcrew-a/../../../passwd', ''],
    ['another kind of networkd file', '/etc/systemd/network/40-groundcrew-ens192.link', '[Match]\n'],
    ['a drop-in', '/etc/systemd/system/groundcrew.service.d/a.conf', '[Service]\nExecStart=/bin/sh\n'],
    ['a program of dnsmasq', DNSMASQ, 'dhcp-script=/bin/sh\n'],
    ['an include of dnsmasq', DNSMASQ, 'conf-file=/etc/shadow\n'],
    ['another file of dnsmasq', DNSMASQ, 'addn-hosts=/etc/shadow\n'],
    ['a long line, which dnsmasq cuts in two', DNSMASQ, `txt-record=a,${'x'.repeat(1_020)}dhcp-script=/bin/sh\n`],
    ['a comment that dnsmasq cuts in two', DNSMASQ, `# Scope ${'\u00e9'.repeat(508)}dhcp-script=/tmp/x\n`],
    ['a comment of another script than ours', DNSMASQ, '# Sc\u00f6pe\n'],
    ['a comment that goes on in the next line', NETWORK, '# x\\\n'],
    ['a script as a value', DNSMASQ, 'domain=lab.test,dhcp-script=/bin/sh\n'],
    ['a directive with a value that has none', DNSMASQ, 'no-hosts=/etc/shadow\n'],
    ['a resolver in the configuration', DNSMASQ, 'server=/lab.test/\n'],
    ['a directive among the servers', SERVERS, 'dhcp-script=/bin/sh\n'],
    ['a file among the servers', SERVERS, 'servers-file=/etc/shadow\n'],
    ['a zone that another server is asked for', SERVERS, 'server=/lab.test/192.0.2.1\n'],
    ['a program among the clients', CLIENTS, 'mailonchange root@lab.test 1\n'],
    ['a client in the file of the stratum', LOCAL, 'allow 10.0.0.0/8\n'],
    ['another file of the folder', '/etc/groundcrew/chrony/conf.d/more.conf', 'allow\n'],
    ['a text that is not closed', DNSMASQ, 'txt-record=lab.test,"x\n'],
    ['a text with an escape of its own', DNSMASQ, 'txt-record=lab.test,"x\\n"\n'],
    ['an address file with a directive', '/etc/groundcrew/dnsmasq/hosts/records', 'dhcp-script=/bin/sh\n'],
    ['reservations with a word of another kind', RESERVATIONS, 'set:x,02:00:00:00:00:11,10.0.0.1\n'],
    ['reservations with a directive', RESERVATIONS, 'dhcp-script=/bin/sh\n'],
    ['options with a directive', OPTIONS, 'dhcp-script=/bin/sh\n'],
    ['options that are sent by force to another vendor', OPTIONS, 'vendor:x,1,10.0.0.1\n'],
    ['leases that are none', LEASES, '1700000000 02:00:00:00:00:11 10.0.0.1 a/../b *\n'],
    ['leases with a directive', LEASES, 'dhcp-script=/bin/sh\n'],
    ['a setting of another section', NETWORK, '[Match]\nGateway=10.0.0.1\n'],
    ['a setting that runs something', NETWORK, '[Network]\nExecStart=/bin/sh\n'],
    ['a name that matches every link', NETWORK, '[Match]\nName=*\n'],
    ['a comment in a rule that ends it', FILTER, '\t\tcounter accept comment "x\\"\n'],
    ['a program of dnsmasq beside it', BOOT, 'dhcp-script=/bin/sh\n'],
    ['another folder of TFTP', BOOT, 'tftp-root=/etc\n'],
    ['another file beside it', '/etc/groundcrew/dnsmasq.d/more.conf', 'port=53\n'],
    ['another first program', '/var/lib/groundcrew/tftp/undionly.kpxe', 'x'],
    ['a program of chronyd', CHRONY, 'mailonchange root@lab.test 1\n'],
    ['an include of chronyd', CHRONY, 'include /etc/shadow\n'],
    ['another file of chronyd', CHRONY, 'driftfile /etc/shadow\n'],
    ['a source with more to it', SOURCES, 'server time.lab.test iburst key 1\n'],
    ['an include of nft', FILTER, 'include "/etc/shadow"\n'],
    ['an include within a chain', FILTER, '\t\tinclude "/etc/shadow"\n'],
    ['an include that looks like a rule', FILTER, '\t\tinclude "/etc/shadow" counter accept comment "x"\n'],
    ['a definition', FILTER, '\t\tdefine x = 1 counter accept comment "x"\n'],
    ['a jump', FILTER, '\t\tcounter jump elsewhere comment "x"\n'],
    ['a rule that ends the chain', FILTER, '\t\tcounter accept comment "x" } table ip y {\n'],
    ['another table', FILTER, 'table ip nat {\n'],
    ['a chain that is ended early', FILTER, '\t\tcounter accept } } table ip nat { chain x {\n'],
    ['two statements on one line', FILTER, '\t\tcounter accept; flush ruleset\n'],
    ['flushing what is of others', FILTER, 'flush ruleset\n'],
    ['a link that belongs to a user', NETDEV, '[NetDev]\nName=tap0\nKind=tap\n'],
    ['another section', NETWORK, '[Tun]\nUser=groundcrew\n'],
    ['a control character', '/etc/groundcrew/dnsmasq/hosts/records', '10.0.0.1 a\rb\n'],
  ])('%s', (_name, path, content) => {
    expect(fileRefusal({ path, content, mode: 0o644 })).not.toBeNull();
  });

  test('and so is a file that others could write or run', () => {
    expect(fileRefusal({ path: FILTER, content: '', mode: 0o666 })).not.toBeNull();
    expect(fileRefusal({ path: FILTER, content: '', mode: 0o4755 })).not.toBeNull();
  });
});

test('the companions that may run are those that the build makes', () => {
  const permitted = hostFiles.flatMap((unit) => unit.companions);
  expect(permitted.toSorted()).toEqual(Object.keys(companions()).sort());
});

const TO_TFTP = ['-m', '0644', '-t', '/var/lib/groundcrew/tftp'];
const BATCH = ['-batch', '-'];
const TO_CHRONYD = ['-c', '-N', '-h', '/run/groundcrew/chrony/chronyd.sock'];

describe('programs', () => {
  test.each<[string, string[], string?]>([
    ['ip', ['-j', '-d', 'addr', 'show']],
    ['ip', ['-j', 'link', 'show']],
    ['ip', ['-6', 'route', 'show']],
    ['ip', ['-force', '-batch', '-'], 'route replace default via 10.0.0.1 dev ens192 proto static metric 100\n'],
    ['ip', ['-j', '-6', 'route', 'show', 'default']],
    ['ip', ['link', 'delete', 'dev', 'ens224.20']],
    ['ip', ['-4', 'rule', 'del', 'pref', '32000', 'iif', 'ens224.20']],
    ['ip', ['-6', 'rule', 'del', 'pref', '32000', 'iif', 'ens192']],
    ['journalctl', ['--unit=systemd-networkd', '--lines=200', '--output=cat', '--no-pager']],
    ['ip', BATCH, 'addr del 10.0.0.5/24 dev ens192\naddr add 10.0.0.5/24 dev ens192 brd + scope global\n'],
    [
      'ip',
      BATCH,
      'route replace fd00::/8 nexthop via fe80::1 dev ens192 weight 1 nexthop via fe80::2 dev ens224 weight 256\n',
    ],
    ['ip', BATCH, 'route del 10.0.0.0/8 via inet6 fe80::1 dev ens192 mtu lock 1400 rto_min 200ms\n'],
    ['ip', BATCH, 'route replace unreachable 10.9.0.0/16 metric 4294967295\n'],
    ['ip', BATCH, 'link set dev ens192 mtu 1500\naddr replace fd00::5/64 scope global dev ens192 nodad\n'],
    ['nft', ['-f', FILTER]],
    ['nft', ['-f', '-'], 'table inet groundcrew\ndelete table inet groundcrew\n'],
    ['networkctl', ['reload']],
    ['chronyc', [...TO_CHRONYD, '-m', 'allow all', 'deny 10.0.0.0/8', 'allow', 'deny', 'local off', 'local stratum 4']],
    ['install', [...TO_TFTP, '/usr/lib/ipxe/undionly.kpxe', '/usr/lib/ipxe/snponly.efi']],
    ['sync', ['/var/lib/groundcrew/tftp/undionly.kpxe', '/var/lib/groundcrew/tftp/snponly.efi']],
    ['unshare', readerArguments('/tmp/staged')],
    ['cat', ['/proc/sys/net/ipv4/ip_forward', '/proc/sys/net/ipv6/conf/all/forwarding']],
    [process.execPath, ['/usr/lib/groundcrew/dist/dns-question.js', '53', '10.0.0.1', 'a/A']],
    [process.execPath, ['/usr/lib/groundcrew/dist/boot-question.js', '{"http":[],"tftp":[]}']],
    ...Object.values(QUESTIONS).map(({ program, args }): [string, string[]] => [program, [...args]]),
  ])('%s %j is run', (program, args, ...[input]) => {
    expect(programRefusal(program, args, input === undefined ? {} : { input })).toBeNull();
  });

  test.each<[string, string[], string?]>([
    ['bash', ['-c', 'id']],
    ['sh', ['-c', 'id']],
    ['chronyc', [...TO_CHRONYD, '-m', 'allow', 'settime 2040-01-01']],
    ['chronyc', [...TO_CHRONYD, 'allow', '10.0.0.0/8']],
    ['chronyc', ['-m', 'allow']],
    ['tee', ['/etc/passwd'], '0\n'],
    ['tee', ['/proc/sys/net/ipv4/ip_forward'], '1\n'],
    ['cat', ['/etc/shadow']],
    ['install', [...TO_TFTP, '/etc/shadow']],
    ['install', ['-m', '4755', '-t', '/var/lib/groundcrew/tftp', '/bin/sh']],
    ['ip', ['netns', 'exec', 'a', 'sh']],
    ['ip', ['-batch', '/tmp/lines']],
    ['ip', ['-4', 'rule', 'del', 'pref', '32766', 'iif', 'ens192']],
    ['ip', ['-4', 'rule', 'del', 'pref', '32000']],
    ['ip', ['-4', 'rule', 'del', 'pref', '32000', 'iif', 'ens192', 'table', 'main']],
    ['ip', ['-4', 'rule', 'add', 'pref', '32000', 'iif', 'ens192']],
    ['ip', ['rule', 'del', 'pref', '32000', 'iif', 'ens192']],
    ['journalctl', ['--unit=systemd-networkd', '--lines=200', '--output=cat']],
    ['journalctl', ['--unit=groundcrew', '--lines=200', '--output=cat', '--no-pager']],
    ['ip', BATCH, 'addr add 10.0.0.5/24 dev ens192\nnetns exec a sh\n'],
    ['ip', BATCH, 'link set dev ens192 xdp obj /tmp/a.o\n'],
    ['ip', BATCH, 'link set dev ens192 netns 1\n'],
    ['ip', BATCH, 'link set dev ens192 address 00:50:56:00:00:01\n'],
    ['ip', BATCH, 'link add link ens224 name ens224.20 type vlan id 20\n'],
    ['ip', BATCH, 'route replace 10.0.0.0/8 via 10.0.0.1 dev ens192 table 7\n'],
    ['ip', BATCH, 'route replace 10.0.0.0/8 encap mpls 7 via 10.0.0.1 dev ens192\n'],
    ['ip', BATCH, 'addr flush dev ens192\n'],
    ['ip', BATCH, 'addr add 10.0.0.5/33 dev ens192 scope global\n'],
    ['ip', BATCH, 'addr add 10.0.0.256/24 dev ens192 scope global\n'],
    ['ip', BATCH, 'link set dev ens192 mtu 1500 up\n'],
    ['ip', BATCH, 'link set dev ens192 mtu 99999999\n'],
    ['ip', BATCH, 'link set dev \u00e9 up\n'],
    ['ip', BATCH, 'route replace default proto static\n'],
    ['ip', BATCH, 'route replace 10.0.0.0/8 via ens192\n'],
    ['ip', BATCH, `route replace default via 10.0.0.1${' onlink'.repeat(600)}\n`],
    ['ip', BATCH, 'addr del 10.0.0.5/24 dev ens192; id\n'],
    ['ip', BATCH, 'link add name t0 type veth peer name t1\n'],
    ['nft', ['-f', '/tmp/rules']],
    ['nft', ['-f', '-'], 'flush ruleset\n'],
    ['networkctl', ['delete', 'ens192']],
    ['unshare', ['--mount', 'sh', '-c', 'id']],
    [process.execPath, ['-e', 'process.exit()']],
    [process.execPath, ['/usr/lib/groundcrew/dist/../../../../tmp/dns-question.js']],
    ['systemctl', ['start', 'ssh.service']],
  ])('%s %j is not', (program, args, ...[input]) => {
    expect(programRefusal(program, args, input === undefined ? {} : { input })).not.toBeNull();
  });

  test('only services of units are started and stopped', () => {
    expect(daemonRefusal('groundcrew-dnsmasq.service')).toBeNull();
    expect(daemonRefusal('groundcrew-enforce.socket')).not.toBeNull();
  });

  test('a question is known by exactly its arguments', () => {
    expect(questionFor('nft', ['-j', 'list', 'table', 'inet', 'groundcrew'])).toBe('packet-filter');
    expect(questionFor('nft', ['-j', 'list', 'ruleset'])).toBeNull();
  });
});

test('leases of dnsmasq of every kind are ones that may be written back', () => {
  const lines = [
    '1700000000 02:00:00:00:00:11 10.0.0.1 esx01 01:02:00:00:00:00:11',
    '0 20- 10.0.0.2 * *',
    'duid 00:01:00:01:2c:aa:bb:cc:02:00:00:00:00:11',
    '1700000000 T12345 fd00::11 * 00:03:00:01:02:00:00:00:00:11',
  ];
  expect(fileRefusal({ path: LEASES, content: `${lines.join('\n')}\n`, mode: 0o644 })).toBeNull();
});

test('a file belongs to one unit, and what is made beside the files is rendered by none', () => {
  expect(pathRefusal('dns-dhcp', DNSMASQ)).toBeNull();
  expect(pathRefusal('ntp', DNSMASQ)).not.toBeNull();
  expect(pathRefusal('dns-dhcp', LEASES)).not.toBeNull();
  expect(pathRefusal('dns-dhcp', [DNSMASQ] as unknown as string)).not.toBeNull();
});

test('every packet filter that can be rendered may be loaded', () => {
  fc.assert(
    fc.property(anyDesired, (made) => {
      // Line by line, so that a fault shows the line.
      const refused = content(ruleSet(made))
        .split('\n')
        .filter((line) => fileRefusal({ path: FILTER, content: `${line}\n` }) !== null);
      expect(refused).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
