// The appliance before it is switched on: what the install script refuses, that running it again changes nothing, and what
// systemd says about the units. In an extracted Debian base, without booting it.
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NETWORKD_CONF } from '../../shared/platform/host/networkd.ts';
import { DEPOT_STORE } from '../../shared/services/offline-depot/store.ts';
import { debianBase } from './base.ts';
import { extractImage, type Image } from './image.ts';

let image: Image;
const MANAGEMENT = ['--management', 'enp0s8=10.99.0.1/24'];
/** Milliseconds: a base that is not there yet takes about 60,000. */
const LIMIT = 300_000;

beforeAll(() => {
  const base = debianBase();
  console.log(base.seconds > 0 ? `Debian base made in ${base.seconds} s` : 'Debian base taken from the cache');
  image = extractImage(base.archive);
}, LIMIT);

afterAll(() => image?.remove());

/** Does something to the image for one attempt; answers the last line of what install.sh said. */
function attempt(prepare: () => () => void, ...args: string[]): string {
  const undo = prepare();
  try {
    const { code, said } = image.install(...args);
    return `${code}: ${said.trim().split('\n').at(-1)}`;
  } finally {
    undo();
  }
}

const path = (name: string): string => join(image.system, name);
const asItIs = () => () => undefined;
/** Another content for a while. */
const instead = (name: string, content: string) => () => {
  const before = existsSync(path(name)) ? readFileSync(path(name)) : null;
  writeFileSync(path(name), content);
  return () => (before === null ? rmSync(path(name)) : writeFileSync(path(name), before));
};
const without = (name: string) => () => {
  renameSync(path(name), `${path(name)}.away`);
  return () => renameSync(`${path(name)}.away`, path(name));
};
const enabled = (unit: string) => () => {
  writeFileSync(
    path(`etc/systemd/system/${unit}`),
    '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n',
  );
  image.inside('systemctl', 'enable', unit);
  return () => {
    image.inside('systemctl', 'disable', unit);
    rmSync(path(`etc/systemd/system/${unit}`), { force: true });
  };
};

describe('what it can not work on is refused in one line, and nothing is changed', () => {
  test('options that it does not know, or that lack something', () => {
    expect(attempt(asItIs, '--force')).toMatch(/^1: groundcrew: not installed: --force is not an option/);
    expect(attempt(asItIs, '--management')).toMatch(/--management needs INTERFACE=/);
    expect(attempt(asItIs, '--management', 'enp0s8')).toMatch(/expected INTERFACE=ADDRESS/);
    expect(attempt(asItIs, '--management', 'a b=10.0.0.1/24')).toMatch(/is not the name of an interface/);
    expect(attempt(asItIs, '--management', 'enp0s8=10.0.0.1/24;reboot')).toMatch(/is not an address/);
    expect(attempt(asItIs)).toMatch(/there is no network configuration; say --management/);
  });

  test('another system', () => {
    const release = instead('etc/os-release', 'ID=debian\nVERSION_ID=13\nPRETTY_NAME="Debian 13"\n');
    // /etc/os-release is a link into /usr.
    expect(attempt(release, ...MANAGEMENT)).toMatch(/this is Debian 13, and it needs Debian 12/);
  });

  test('a program that is missing, with the package that brings it', () => {
    expect(attempt(without('usr/sbin/nft'), ...MANAGEMENT)).toMatch(/apt-get install .* nftables$/);
  });

  test('somebody else who is in charge of the links', () => {
    expect(attempt(enabled('NetworkManager.service'), ...MANAGEMENT)).toMatch(/NetworkManager.service is enabled/);
  });

  test('somebody who is not root', () => {
    const { code, said } = image.inside('setpriv', '--reuid=65534', '/srv/build/appliance/install.sh', ...MANAGEMENT);
    expect(`${code}: ${said.trim()}`).toBe('1: groundcrew: not installed: it must be run as root');
  });

  test('nothing to remove', () => {
    expect(attempt(asItIs, '--uninstall')).toMatch(/it is not there/);
    expect(existsSync(path('usr/lib/groundcrew'))).toBe(false);
    expect(existsSync(path('etc/groundcrew'))).toBe(false);
  });
});

/** Mode, owner, path and content of everything that an installation may touch; times don't count. */
function manifest(): string[] {
  const script = `find /usr /etc /var/lib /mnt -xdev \\( -type f -o -type l -o -type d \\) -printf '%m %u %g %y %p %l\\n' | sort
    find /etc /usr/lib/groundcrew /usr/lib/systemd -xdev -type f -exec sha256sum {} + | sort`;
  return image.inside('sh', '-c', script).said.split('\n');
}

describe('an installation', () => {
  test('says what it does, and takes over from services of Debian', () => {
    const back = without('usr/lib/ipxe')();
    const { code, said } = image.install(...MANAGEMENT);
    back();
    expect([code, said]).toEqual([0, expect.stringContaining('services enabled')]);
    expect(said).toMatch(/disabled chrony.service, whose work Groundcrew takes over/);
    expect(said).toMatch(/network boot needs the package ipxe/);
    expect(said).toMatch(/this system is not running: nothing was started/);
  });

  test('that is run again changes nothing, and keeps settings that were edited', () => {
    const settings = path('etc/groundcrew/groundcrew.env');
    writeFileSync(settings, `${readFileSync(settings, 'utf8')}GROUNDCREW_LOG_LEVEL=debug\n`);
    chmodSync(settings, 0o600);
    const before = manifest();
    expect(before.length).toBeGreaterThan(1_000);
    // Folders that an earlier release did not have.
    for (const folder of ['dnsmasq.d', 'network-boot', 'offline-depot'])
      rmSync(path(`etc/groundcrew/${folder}`), { recursive: true });
    for (const folder of ['var/lib/groundcrew/tftp', DEPOT_STORE]) rmSync(path(folder), { recursive: true });
    expect(image.install(...MANAGEMENT)).toMatchObject({ code: 0 });
    expect(manifest().filter((line) => !before.includes(line))).toEqual([]);
    expect(manifest()).toEqual(before);
  });

  test('puts systemd-networkd in charge of the links, and tells it to leave the routing rules of others alone', () => {
    const settings = readFileSync(path('etc/systemd/networkd.conf.d/40-groundcrew.conf'), 'utf8');
    expect(settings.replace(/^#.*\n/gm, '')).toBe(NETWORKD_CONF);
    expect(image.inside('systemd-analyze', 'cat-config', 'systemd/networkd.conf').said).toContain(NETWORKD_CONF);
    const asked = ['systemd-networkd.service', 'groundcrew.service', ...SOCKETS];
    expect(
      image
        .inside('systemctl', 'is-enabled', ...asked)
        .said.trim()
        .split('\n'),
    ).toEqual(asked.map(() => 'enabled'));
  });

  test('gives the service its data and the depot, and nothing else', () => {
    const owned = image
      .inside('find', '/etc', '/usr', '/var', '/run', '/mnt', '-xdev', '-user', 'groundcrew')
      .said.trim();
    expect(owned.split('\n')).toEqual(['/var/lib/groundcrew/data', DEPOT_STORE]);
    const { said } = image.inside(
      'stat',
      '-c',
      '%a %U:%G %n',
      '/var/lib/groundcrew/data',
      '/etc/groundcrew/groundcrew.env',
      '/etc/groundcrew/network-boot',
      '/etc/groundcrew/offline-depot',
      DEPOT_STORE,
    );
    expect(said.trim().split('\n')).toEqual([
      '700 groundcrew:groundcrew /var/lib/groundcrew/data',
      '600 root:root /etc/groundcrew/groundcrew.env',
      // What is written there gets its group.
      '2750 root:groundcrew /etc/groundcrew/network-boot',
      '2750 root:groundcrew /etc/groundcrew/offline-depot',
      // Tools of others fill it and read it as well.
      `755 groundcrew:groundcrew ${DEPOT_STORE}`,
    ]);
  });
});

/** The most exposure that `systemd-analyze security` may see in each unit; 0 is none, 10 is all. */
const MOST_EXPOSED: Readonly<Record<string, number>> = {
  'groundcrew.service': 1.8,
  'groundcrew-enforce@.service': 3.2,
  'groundcrew-check@.service': 1.7,
  'groundcrew-watchdog.service': 3.2,
  'groundcrew-rollback.service': 0.8,
  'groundcrew-nftables.service': 1.4,
  'groundcrew-dnsmasq.service': 2.6,
  'groundcrew-chronyd.service': 3.1,
  'groundcrew-slapd.service': 1.4,
  'groundcrew-certificate.service': 1.0,
  'groundcrew-terminal-key.service': 1.5,
  // Whoever sets limits of disks may do what SYS_ADMIN lets him, as far as the filter of system calls leaves it.
  'groundcrew-datastore-limits.service': 1.5,
  // Whoever makes file systems opens disks.
  'groundcrew-disk@.service': 1.6,
  // A sign-in at the machine itself, with all that an account may do there: sshd bounds it, and PAM.
  'groundcrew-terminal@.service': 9.6,
};
const SOCKETS = ['groundcrew-enforce.socket', 'groundcrew-check.socket', 'groundcrew-terminal.socket'];

describe('the units', () => {
  const folder = join(import.meta.dirname, '../../build/appliance/systemd');

  test('are accepted by systemd, each, and with all that starts with the machine', () => {
    const all = image.inside('sh', '-c', 'ls /usr/lib/systemd/system/groundcrew*').said.trim().split('\n');
    expect(all).toHaveLength(Object.keys(MOST_EXPOSED).length + SOCKETS.length);
    const { said } = image.inside('systemd-analyze', 'verify', '--man=no', ...all, 'multi-user.target');
    // Nobody needs sshd who has no web terminal: with it `web-terminal` looks at them again.
    const missing = (unit: string, program: string) =>
      `groundcrew-terminal${unit}.service: Command ${program} is not executable: No such file or directory`;
    expect(said.trim().split('\n').sort()).toEqual([
      missing('-key', '/usr/bin/ssh-keygen'),
      missing('@i', '/usr/sbin/sshd'),
    ]);
  });

  test('are no more exposed than this', () => {
    const scores = Object.entries(MOST_EXPOSED).map(([unit, most]) => {
      const file = existsSync(join(folder, unit)) ? `/usr/lib/systemd/system/${unit}` : unit;
      const { said } = image.inside('systemd-analyze', 'security', '--offline=yes', '--no-pager', file);
      const score = Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1] ?? Number.NaN);
      return { unit, score, within: score <= most };
    });
    console.log(scores.map(({ unit, score }) => `${unit} ${score}`).join('\n'));
    expect(scores.filter(({ within }) => !within)).toEqual([]);
  });
});

test('removing it leaves data, software and network settings, and gives back what it took over', () => {
  const left = ['var/lib/groundcrew/data/kept', join(DEPOT_STORE, 'kept')];
  for (const kept of left) writeFileSync(path(kept), '');
  const { code, said } = image.install('--uninstall');
  expect([code, said]).toEqual([0, expect.stringContaining('removed the programs')]);
  expect(said).toMatch(/enabled chrony.service again/);
  for (const kept of [...left, 'etc/groundcrew/groundcrew.env'])
    expect([kept, existsSync(path(kept))]).toEqual([kept, true]);
  for (const kept of ['network/90-groundcrew-start.network', 'networkd.conf.d/40-groundcrew.conf'])
    expect([kept, existsSync(path(`etc/systemd/${kept}`))]).toEqual([kept, true]);
  expect(
    image.inside('sh', '-c', 'ls -d /usr/lib/groundcrew /usr/lib/systemd/system/groundcrew* 2>/dev/null').said,
  ).toBe('');
  expect(image.inside('find', '/etc/systemd/system', '-name', 'groundcrew*').said).toBe('');
});
