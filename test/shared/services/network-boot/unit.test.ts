// The unit "Network boot": its files as golden files, what a plan says and never says, what is refused, and what an apply
// does on the host.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { reasonOf } from '../../../../shared/appliance/apply/plan.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { activate } from '../../../../shared/services/network-boot/activate.ts';
import { check, desiredFaults } from '../../../../shared/services/network-boot/check.ts';
import type { NetworkBootDesired } from '../../../../shared/services/network-boot/desired.ts';
import { facts } from '../../../../shared/services/network-boot/facts.ts';
import { FRAGMENT_FILE, MANIFEST_PATH } from '../../../../shared/services/network-boot/files.ts';
import { impact } from '../../../../shared/services/network-boot/impact.ts';
import { originOf } from '../../../../shared/services/network-boot/listening.ts';
import { parseManifest } from '../../../../shared/services/network-boot/manifest.ts';
import { faultOf } from '../../../../shared/services/network-boot/probe.ts';
import { render } from '../../../../shared/services/network-boot/render.ts';
import { networkBootUnit } from '../../../../shared/services/network-boot/unit.ts';
import { LAB, SEALED } from '../../../fixtures/network-boot/desired.ts';
import { said } from '../../../setup/said.ts';

const golden = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/network-boot/${name}`, import.meta.url), 'utf8');
const same = (path: string): string => path;
const withSettings = (settings: Partial<NetworkBootDesired['settings']>): NetworkBootDesired => ({
  ...LAB,
  settings: { ...LAB.settings, ...settings },
});
const OFF = withSettings({ enabled: false });

describe('files', () => {
  test('the manifest and what dnsmasq says are the golden files', () => {
    const [manifest, fragment] = render(LAB, same);
    expect([manifest!.path, manifest!.mode, fragment!.path]).toEqual([MANIFEST_PATH, 0o640, FRAGMENT_FILE]);
    expect(manifest!.content).toBe(golden('manifest.json'));
    expect(fragment!.content).toBe(golden('network-boot.conf'));
    expect(parseManifest(manifest!.content).hosts).toEqual(LAB.hosts);
  });

  test('the same state renders the same bytes, and none while it is off', () => {
    expect(render(structuredClone(LAB), same)).toEqual(render(LAB, same));
    expect(render(OFF, same)).toEqual([]);
  });

  test.each([
    ['10.10.0.5', 8081, 'http://10.10.0.5:8081'],
    ['10.10.0.5', 80, 'http://10.10.0.5'],
    ['fd00::5', 8081, 'http://[fd00::5]:8081'],
  ])('%s with port %i is %s', (address, port, origin) => expect(originOf(address, port)).toBe(origin));
});

describe('what a plan says', () => {
  test('the facts in words are the golden file, and hold nothing that is sealed', () => {
    const view = facts(LAB);
    expect([...said(networkBootUnit, view)].map(([key, value]) => `${key} = ${value}\n`).join('')).toBe(
      golden('entries.txt'),
    );
    expect(JSON.stringify([...view])).not.toContain(SEALED);
  });

  test('what is remembered holds no host and nothing sealed', () => {
    expect(JSON.stringify(networkBootUnit.remember(LAB))).not.toMatch(/s1\.|esx0/);
  });

  const first = { before: null, after: facts(LAB), written: [MANIFEST_PATH, FRAGMENT_FILE], removed: [] };
  const to = (after: NetworkBootDesired, written: string[] = [MANIFEST_PATH]) =>
    impact({ before: facts(LAB), after: facts(after), written, removed: [] });

  test('the first apply tells what begins, and that dnsmasq is restarted', () => {
    expect(impact(first)).toMatchObject({ risk: 'low', interruption: expect.stringContaining('dnsmasq restarts') });
    expect(impact(first).says[0]).toBe(
      'Machines that boot over the network get the menu wherever this appliance’s DHCP serves them.',
    );
    expect(impact(first).says).toContain(
      'esx03 is known, but has nothing to install (00:50:56:01:11:03, address of a range, no Kickstart, no medium).',
    );
  });

  test.each<[string, NetworkBootDesired, RegExp, string]>([
    [
      'another text of a Kickstart',
      { ...LAB, kickstarts: [{ ...LAB.kickstarts[0]!, revision: '56'.repeat(32) }] },
      /^Kickstart Compute has another text \(revision 565656565656\); open attempts with it end\.$/,
      'medium',
    ],
    [
      'a text that takes values of vaults from now on',
      { ...LAB, kickstarts: [{ ...LAB.kickstarts[0]!, revision: '56'.repeat(32), vault_values: ['lab.a', 'lab.b'] }] },
      /^Kickstart Compute has another text \(revision 565656565656, values of vaults: lab\.a, lab\.b\); open/,
      'medium',
    ],
    [
      'a Kickstart with values of vaults that is new',
      { ...LAB, kickstarts: [...LAB.kickstarts, { ...LAB.kickstarts[0]!, name: 'New', vault_values: ['lab.a'] }] },
      /^Kickstart New takes values of vaults: lab\.a\.$/,
      'low',
    ],
    ['a host that goes', { ...LAB, hosts: LAB.hosts.slice(1) }, /^esx01\.lab\.example can no longer install/, 'medium'],
    [
      'a host that goes and had nothing to install',
      { ...LAB, hosts: LAB.hosts.slice(0, 2) },
      /^esx03 is no longer known\.$/,
      'low',
    ],
    [
      'a host that gets another name: one host is renamed',
      { ...LAB, hosts: [{ ...LAB.hosts[0]!, hostname: 'esx11.lab.example' }, ...LAB.hosts.slice(1)] },
      /^esx01\.lab\.example is renamed to esx11\.lab\.example \(00:50.*\); its open attempt ends\.$/,
      'medium',
    ],
    [
      'a host that loses its Kickstart',
      { ...LAB, hosts: [{ ...LAB.hosts[0]!, kickstart_id: null }, ...LAB.hosts.slice(1)] },
      /^esx01\.lab\.example can no longer install itself \(.*no Kickstart.*\); its open attempt ends\.$/,
      'medium',
    ],
    [
      'a host that gets what it lacked',
      {
        ...LAB,
        hosts: [...LAB.hosts.slice(0, 2), { ...LAB.hosts[2]!, kickstart_id: 'kickstart_01', media_id: 'medium_01' }],
      },
      /^esx03 can install itself \(/,
      'low',
    ],
    ['without TFTP', withSettings({ tftp_enabled: false }), /^There is no TFTP/, 'medium'],
    ['off', OFF, /^Network boot is switched off/, 'medium'],
  ])('%s', (_name, after, said, risk) => {
    const told = to(after);
    expect(told.says).toEqual([expect.stringMatching(said)]);
    expect([told.risk, told.interruption]).toEqual([risk, 'none']);
  });
});

describe('why it is in a plan of the network', () => {
  const moved: NetworkBootDesired = {
    ...LAB,
    listen: [LAB.listen[0]!, { ...LAB.listen[1]!, addresses: ['172.16.20.9', 'fd00:20::2'] }],
  };
  const withUrl = (desired: NetworkBootDesired, uefi_http_url: string) => ({
    ...desired,
    settings: { ...desired.settings, uefi_http_url },
  });
  test.each<[string, NetworkBootDesired, string]>([
    [
      'its URL follows the address',
      withUrl(moved, 'http://172.16.20.9:8081/boot/ipxe/snponly.efi'),
      'required by Network',
    ],
    ['its URL stays', moved, 'required by Network'],
    ['its URL leads elsewhere', withUrl(moved, 'http://172.16.20.8:8081/boot/ipxe/snponly.efi'), 'your change'],
    ['its URL names another program', withUrl(moved, 'http://172.16.20.9:8081/boot/ipxe/other.efi'), 'your change'],
    ['its URL alone differs', withUrl(LAB, 'http://192.168.10.5:8081/boot/ipxe/snponly.efi'), 'your change'],
  ])('%s', (_name, after, reason) => {
    const change = { before: facts(LAB), after: facts(after) };
    const inPlan = new Map([
      ['network', 'Network'],
      ['network-boot', 'Network boot'],
    ] as const);
    expect(reasonOf(networkBootUnit, change, { inPlan, edited: true })).toBe(reason);
  });
});

describe('what is refused', () => {
  const onLink = (link: Partial<NetworkBootDesired['listen'][number]>): NetworkBootDesired => ({
    ...LAB,
    listen: [{ ...LAB.listen[0]!, ...link }],
  });
  test.each<[string, NetworkBootDesired, RegExp]>([
    ['an interface that is gone', onLink({ usable: false }), /^Interface ens224 is missing/],
    ['an interface without a fixed address', onLink({ addresses: [] }), /^Interface ens224 has no fixed address/],
    ['no interface', { ...LAB, listen: [] }, /^Network boot is on but listens on no interface\.$/],
    ['a host whose medium is not ready', { ...LAB, media: [] }, /^The installer medium of esx01/],
    ['a host whose Kickstart is gone', { ...LAB, kickstarts: [] }, /^The Kickstart of esx01/],
    [
      'a URL at the listener that it does not serve',
      withSettings({ uefi_http_url: 'http://172.16.20.2:8081/mboot.efi' }),
      /^The URL for UEFI HTTP boot is at the boot listener/,
    ],
    [
      'a URL at another port than the listener’s',
      withSettings({ http_port: 8082 }),
      /^The URL for UEFI HTTP boot is at port 8081, but the boot listener answers at 8082\.$/,
    ],
    [
      'a URL at HTTP’s own port',
      withSettings({ uefi_http_url: 'http://[fd00:20::2]/boot/ipxe/snponly.efi' }),
      /is at port 80, but the boot listener answers at 8081\.$/,
    ],
    [
      'a URL at the listener’s name and another port',
      withSettings({ uefi_http_url: 'http://boot.lab.example:9000/boot/ipxe/snponly.efi' }),
      /is at port 9000, but/,
    ],
  ])('%s', (_name, desired, said) => expect(desiredFaults(desired)[0]).toMatch(said));

  test('nothing of the lab, and nothing of a URL elsewhere', () => {
    expect(desiredFaults(LAB)).toEqual([]);
    expect(desiredFaults(withSettings({ uefi_http_url: 'http://10.0.0.1/x.efi' }))).toEqual([]);
  });

  test('an appliance without the package ipxe, in words that name the package', async () => {
    const host = { enforces: true, exec: async () => ({ code: 1, stdout: '', stderr: '' }) } as unknown as Host;
    const { ok, faults } = await check(host, LAB, same);
    expect([ok, faults[0]]).toEqual([false, '/usr/lib/ipxe/undionly.kpxe is missing: install the package ipxe.']);
    expect((await check(host, OFF, same)).ok).toBe(true);
  });
});

describe('on the host', () => {
  function recording(running: boolean): { host: Host; did: string[] } {
    const did: string[] = [];
    const host = {
      kind: 'system',
      enforces: true,
      resolve: same,
      read: async () => 'there',
      write: async () => undefined,
      exec: async (program: string) => {
        did.push(program);
        return { code: 0, stdout: '', stderr: '' };
      },
      daemonRunning: async () => running,
      startDaemon: async () => void did.push('start'),
      stopDaemon: async () => void did.push('stop'),
    } as unknown as Host;
    return { host, did };
  }
  const change = (...written: string[]) => ({ before: null, after: facts(LAB), written, removed: [] });

  test.each<[string, NetworkBootDesired, boolean, string[], string[]]>([
    ['first apply', LAB, true, [MANIFEST_PATH, FRAGMENT_FILE], ['install', 'sync', 'stop', 'start']],
    ['another Kickstart: nobody notices', LAB, true, [MANIFEST_PATH], ['install', 'sync']],
    ['dnsmasq does not run', LAB, false, [MANIFEST_PATH, FRAGMENT_FILE], ['install', 'sync']],
    ['off', OFF, true, [FRAGMENT_FILE], ['stop', 'start']],
  ])('%s', async (_name, desired, running, written, expected) => {
    const { host, did } = recording(running);
    await activate(host, desired, change(...written));
    expect(did).toEqual(expected);
  });

  const questions = { http: ['http://a/boot/applied.txt'], tftp: [{ server: 'a', file: 'snponly.efi' }] };
  const tftp = [{ bytes: 1, error: null }];
  test.each<[string, Parameters<typeof faultOf>[1], RegExp | null]>([
    ['all as applied', { http: [{ text: 'd1\n', error: null }], tftp }, null],
    ['an earlier state', { http: [{ text: 'd0\n', error: null }], tftp }, /serves an earlier state/],
    ['no answer', { http: [{ text: null, error: 'refused' }], tftp }, /does not answer at http:\/\/a.*: refused\.$/],
    [
      'no TFTP',
      { http: [{ text: 'd1', error: null }], tftp: [{ bytes: null, error: 'no answer in time' }] },
      /TFTP at a/,
    ],
    ['nothing at all', { http: [], tftp: [] }, /nothing came back/],
  ])('the probe: %s', (_name, answers, said) => {
    const fault = faultOf(questions, answers, 'd1');
    if (said === null) expect(fault).toBeNull();
    else expect(fault).toMatch(said);
  });
});
