// The unit of the web terminal: its files and the guard that reads them again, what a plan says, and sshd's own check.
import { describe, expect, test } from '@jest/globals';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { strangeLine } from '../../../../shared/platform/host/unit-files.ts';
import { check } from '../../../../shared/services/web-terminal/check.ts';
import { NO_TERMINAL, type TerminalDesired } from '../../../../shared/services/web-terminal/desired.ts';
import { drift } from '../../../../shared/services/web-terminal/drift.ts';
import { facts } from '../../../../shared/services/web-terminal/facts.ts';
import { MANIFEST_PATH } from '../../../../shared/services/web-terminal/files.ts';
import { hostFiles } from '../../../../shared/services/web-terminal/host-files.ts';
import { impact } from '../../../../shared/services/web-terminal/impact.ts';
import { opensAt, parseManifest } from '../../../../shared/services/web-terminal/manifest.ts';
import { render } from '../../../../shared/services/web-terminal/render.ts';

const ON: TerminalDesired = {
  settings: { ...NO_TERMINAL.settings, enabled: true, listen_interfaces: ['ens192'] },
  listen: [{ name: 'ens192', usable: true, addresses: ['10.10.0.5', 'fd00:10::5'] }],
};
const same = (path: string) => path;
const [sshd] = hostFiles.files;

test('every rendered file is one that the guard knows, line by line; off, there is none', () => {
  const files = render(ON, same);
  expect(files.map(({ path }) => path)).toEqual(['/etc/groundcrew/terminal/sshd_config', MANIFEST_PATH]);
  for (const { path, content } of files) {
    const known = hostFiles.files.find((each) => each.path.test(path))!;
    expect([path, strangeLine(known, content)]).toEqual([path, null]);
  }
  expect(render(NO_TERMINAL, same)).toEqual([]);
});

test.each([
  'PermitRootLogin yes',
  'AllowGroups root',
  'ForceCommand /bin/sh',
  'AuthorizedKeysFile /tmp/keys',
  'PasswordAuthentication yes',
  'HostKey /etc/ssh/ssh_host_ed25519_key',
  'Include /tmp/more',
  'Match all',
  ' PermitRootLogin no',
])('the guard refuses what a mistake could render: %s', (line) => {
  expect(strangeLine(sshd!, `${line}\n`)).toBe(1);
});

test('the manifest lets in at its addresses alone', () => {
  const manifest = parseManifest(render(ON, same).at(-1)!.content);
  expect([opensAt(manifest, '10.10.0.5'), opensAt(manifest, 'fd00:10::5')]).toEqual([true, true]);
  expect([opensAt(manifest, '127.0.0.1'), opensAt(manifest, ''), opensAt(null, '10.10.0.5')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(() => parseManifest('{"version":2}')).toThrow(/not one of this release/);
});

describe('a plan', () => {
  const change = (before: TerminalDesired | null, after: TerminalDesired) =>
    impact({ before: before && facts(before), after: facts(after), written: [], removed: [] });

  test('says what turning it on means, and that open terminals end', () => {
    expect(change(NO_TERMINAL, ON)).toMatchObject({ risk: 'medium', interruption: 'none' });
    expect(change(NO_TERMINAL, ON).says[0]).toMatch(/group groundcrew-terminal/);
    expect(change(ON, NO_TERMINAL)).toMatchObject({ interruption: 'open terminals end' });
    const elsewhere = { ...ON, listen: [{ name: 'ens224', usable: true, addresses: ['10.20.0.5'] }] };
    expect(change(ON, elsewhere)).toMatchObject({ risk: 'low', interruption: 'open terminals end' });
    const shorter = { ...ON, settings: { ...ON.settings, idle_minutes: 5 } };
    expect(change(ON, shorter)).toEqual({
      says: ['Of terminals opened from now on: minutes without input 5.'],
      risk: 'low',
      interruption: 'none',
    });
  });

  test('says that terminals are recorded from now on, or are not any more; what an older release applied was not', () => {
    const recorded = { ...ON, settings: { ...ON.settings, recording: true, recording_days: 7 } };
    expect(change(ON, recorded).says[0]).toMatch(/is recorded, and their users are told before they sign in/);
    expect(change(recorded, ON).says[0]).toMatch(/are not recorded. Recordings that are there stay/);
    const longer = { ...recorded, settings: { ...recorded.settings, recording_days: 9 } };
    expect(change(recorded, longer).says).toEqual([
      'Of terminals opened from now on: days that what is printed is kept 9.',
    ]);
    const { recording: _recording, ...former } = ON.settings;
    expect([...facts({ ...ON, settings: former as never })]).toEqual([...facts(ON)]);
    // Nothing of it is in the manifest until it is chosen: an upgrade changes no applied file.
    expect(render(ON, same).at(-1)!.content).not.toMatch(/recording/);
    expect(parseManifest(render(recorded, same).at(-1)!.content).recording).toEqual({ days: 7, megabytes: 1024 });
  });
});

describe('the check', () => {
  const host = (code: number, stderr: string, enforces = true) =>
    ({
      enforces,
      resolve: same,
      exec: async (program: string) =>
        program === 'ssh-keygen' ? { code: 0, stdout: '', stderr: '' } : { code, stdout: '', stderr },
    }) as unknown as Host;

  test('names the interface that can carry nothing', async () => {
    const none = { ...ON, listen: [{ name: 'ens9', usable: false, addresses: [] }] };
    expect((await check(host(0, ''), none, same)).faults[0]).toMatch(/ens9 is missing/);
    const dynamic = { ...ON, listen: [{ name: 'ens9', usable: true, addresses: [] }] };
    expect((await check(host(0, ''), dynamic, same)).faults[0]).toMatch(/no fixed address/);
    expect((await check(host(0, ''), { ...ON, listen: [] }, same)).faults).toHaveLength(1);
  });

  test('passes on what sshd says, and what is to be installed where it is missing', async () => {
    expect(await check(host(0, ''), ON, same)).toMatchObject({ ok: true, program: 'sshd -t' });
    expect((await check(host(255, 'staged line 3: Bad configuration option\n'), ON, same)).faults).toEqual([
      'staged line 3: Bad configuration option',
    ]);
    expect((await check(host(127, 'not found'), ON, same)).faults[0]).toMatch(/openssh-server/);
    expect((await check(host(127, 'not found', false), ON, same)).ok).toBe(true);
  });
});

test('drift is a socket that is open or closed against what was applied', async () => {
  const host = (running: boolean) => ({ resolve: same, daemonRunning: async () => running }) as unknown as Host;
  expect(await drift(host(true), ON)).toEqual([]);
  expect(await drift(host(false), ON)).toHaveLength(1);
  expect(await drift(host(true), NO_TERMINAL)).toHaveLength(1);
});
