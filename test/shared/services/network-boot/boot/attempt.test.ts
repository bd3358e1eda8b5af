// What a boot attempt stands on: its states and clocks, its code and secrets, sealed texts, and the applied state that it is
// bound to.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemEntropy } from '../../../../../shared/ground/clock.ts';
import { type Keys, openKeys } from '../../../../../shared/ground/sealing/keys.ts';
import { openText, sealedDigest, sealText } from '../../../../../shared/ground/sealing/sealed-text.ts';
import {
  ATTEMPT_STATES,
  END_REASONS,
  isWithin,
  LIFETIME,
  type Moment,
  momentOf,
  secondsLeft,
  standing,
  TRANSITIONS,
  windowFrom,
} from '../../../../../shared/services/network-boot/boot/attempt.ts';
import { waitAfterMisfits } from '../../../../../shared/services/network-boot/boot/authorize-throttle.ts';
import {
  CODE_ALPHABET,
  CODE_BITS,
  CODE_LENGTH,
  codeHash,
  codeOfClaim,
  readCode,
  shownCode,
  WRONG_CODES_MOST,
} from '../../../../../shared/services/network-boot/boot/boot-code.ts';
import {
  capabilityOf,
  isSecret,
  newClaim,
  secretHash,
} from '../../../../../shared/services/network-boot/boot/capability.ts';
import { type DesiredHost, differences } from '../../../../../shared/services/network-boot/boot/drift.ts';
import { STARTS_MOST } from '../../../../../shared/services/network-boot/boot/start.ts';
import {
  type AppliedHost,
  appliedDigest,
  parseManifest,
  writeManifest,
} from '../../../../../shared/services/network-boot/manifest.ts';
import { bootFilePath, kickstartPath, macOfDashed } from '../../../../../shared/services/network-boot/paths.ts';

let folder: string;
let keys: Keys;
let others: Keys;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-attempt-'));
  keys = await openKeys(join(folder, 'a'), systemEntropy, false);
  others = await openKeys(join(folder, 'b'), systemEntropy, false);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START = Date.parse('2026-03-14T09:00:00.000Z');
const HOUR = 3_600_000;
const moment = (wall: number, uptime = wall, boot = 'one'): Moment => ({
  at: new Date(START + wall),
  boot,
  uptime: 50_000 + uptime,
});

describe('ten minutes', () => {
  const window = { ...windowFrom(moment(0), LIFETIME), state: 'pending' as const };
  const most = LIFETIME * 1000;

  test.each<[string, Moment, boolean]>([
    ['at once', moment(0), true],
    ['in the last millisecond', moment(most - 1), true],
    ['when they are over', moment(most), false],
    ['with the wall clock set forward by an hour', moment(HOUR + 1000, 1000), false],
    ['with the wall clock set back by an hour', moment(1000 - HOUR, 1000), false],
    ['with the wall clock set back once they are over', moment(1000, most), false],
    ['over by the wall clock alone', moment(most, 1000), false],
    ['after a restart of the machine', moment(1000, 1000, 'two'), false],
    ['after a restart with less uptime', moment(1000, -1), false],
  ])('%s', (_name, now, alive) => {
    expect(isWithin(window, now)).toBe(alive);
    expect(standing(window, now)).toBe(alive ? 'pending' : 'expired');
    expect(secondsLeft(window, now) > 0).toBe(alive);
  });

  test('are counted by the clock that has less', () => {
    expect(secondsLeft(window, moment(60_000))).toBe(540);
    expect(secondsLeft(window, moment(60_000, 120_000))).toBe(480);
    expect(secondsLeft(window, moment(120_000, 60_000))).toBe(480);
  });
});

describe('states', () => {
  test('that ended never move again, and every reason ends an attempt', () => {
    for (const state of ATTEMPT_STATES) {
      const ended = standing({ ...windowFrom(moment(0), LIFETIME), state }, moment(HOUR));
      expect(ended).toBe(TRANSITIONS[state].length > 0 ? 'expired' : state);
    }
    for (const state of Object.values(END_REASONS)) expect(TRANSITIONS[state]).toEqual([]);
    expect(TRANSITIONS.pending).not.toContain('consumed');
  });
});

test('what may follow what, and now by both clocks', () => {
  expect(TRANSITIONS).toEqual({
    pending: ['issued', 'expired', 'burnt'],
    issued: ['consumed', 'expired', 'burnt'],
    consumed: [],
    expired: [],
    burnt: [],
  });
  expect([...ATTEMPT_STATES]).toEqual(Object.keys(TRANSITIONS));
  const at = new Date(START);
  expect(momentOf({ now: () => at }, { boot: 'one', milliseconds: () => 7 })).toEqual({ at, boot: 'one', uptime: 7 });
});

describe('a boot code', () => {
  test('is read off the key’s bytes: those beyond the last whole alphabet are passed over, and more are asked for', () => {
    const asked: string[] = [];
    const rounds = [
      [240, 0, 255, 23, 24, 239],
      [1, 2, 3, 4, 5],
    ];
    const told: Keys = {
      hmac(purpose, message) {
        asked.push(`${purpose} ${message}`);
        return Buffer.from(rounds[asked.length - 1]!);
      },
    };
    expect(codeOfClaim(told, 'claim')).toBe('AZAZBCDE');
    expect(asked).toEqual(['boot-code code\u00000\0claim', 'boot-code code\u00001\0claim']);
  });

  test('is kept as a hash of its own, that nothing else is made for', () => {
    const told: Keys = { hmac: (purpose, message) => Buffer.from(`${purpose} ${message}`) };
    expect(Buffer.from(codeHash(told, 'ABCDEFGH'), 'hex').toString()).toBe('boot-code hash\0ABCDEFGH');
    expect(codeHash(keys, 'ABCDEFGH')).not.toBe(codeHash(keys, 'ABCDEFGJ'));
    expect(codeHash(keys, 'ABCDEFGH')).not.toBe(codeHash(others, 'ABCDEFGH'));
  });

  test('has eight letters without I and O, in two groups', () => {
    const code = codeOfClaim(keys, newClaim(systemEntropy));
    expect(shownCode(code)).toMatch(/^[A-HJ-NP-Z]{4}-[A-HJ-NP-Z]{4}$/);
    expect([CODE_ALPHABET.length, CODE_LENGTH]).toEqual([24, 8]);
  });

  test('is the same at every poll, and another one for every claim, key and use', () => {
    const claims = Array.from({ length: 500 }, () => newClaim(systemEntropy));
    expect(new Set(claims.map((claim) => codeOfClaim(keys, claim))).size).toBe(500);
    for (const claim of claims.slice(0, 20)) {
      expect(codeOfClaim(keys, claim)).toBe(codeOfClaim(keys, claim));
      expect(codeOfClaim(others, claim)).not.toBe(codeOfClaim(keys, claim));
      expect(codeHash(keys, codeOfClaim(keys, claim))).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test('is guessed with the odds that its letters give: 36.7 bits, five tries an attempt, twelve attempts in ten minutes', () => {
    expect(CODE_BITS).toBeCloseTo(36.68, 2);
    const perAttempt = WRONG_CODES_MOST / CODE_ALPHABET.length ** CODE_LENGTH;
    expect(perAttempt).toBeLessThan(1 / 22_000_000_000);
    // Somebody who guesses for a year without a pause, and with an operator's token.
    const tries = WRONG_CODES_MOST * STARTS_MOST * (365 * 24 * 6);
    expect(tries).toBe(3_153_600);
    expect(tries / CODE_ALPHABET.length ** CODE_LENGTH).toBeLessThan(1 / 34_000);
  });

  test('is guessed in the field for any console with the odds that its waits give: 16 tries in ten minutes, 32.7 bits', () => {
    let tries = 0;
    // The next one as soon as it is let through.
    for (let at = 0; at < LIFETIME; at += waitAfterMisfits(tries)) tries += 1;
    expect(tries).toBe(16);
    expect(Array.from({ length: 9 }, (_, misfits) => waitAfterMisfits(misfits))).toEqual([
      0, 0, 0, 0, 0, 15, 30, 60, 60,
    ]);
    expect(CODE_BITS - Math.log2(tries)).toBeCloseTo(32.68, 2);
    expect(tries / CODE_ALPHABET.length ** CODE_LENGTH).toBeLessThan(1 / 6_800_000_000);
  });

  test('has letters that are all as likely', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 3000; n++) {
      for (const letter of codeOfClaim(keys, String(n))) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    const expected = (3000 * CODE_LENGTH) / CODE_ALPHABET.length;
    const chi = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    expect(counts.size).toBe(24);
    // 23 degrees of freedom: one in 100,000 is beyond 63.
    expect(chi).toBeLessThan(63);
  });

  test.each<[string, string | null]>([
    ['ABCD-EFGH', 'ABCDEFGH'],
    [' abcd efgh ', 'ABCDEFGH'],
    ['a-b-c-d-e-f-g-h', 'ABCDEFGH'],
    ['ABCD\u2011EFGH', 'ABCDEFGH'],
    ['ABCD-EFG', null],
    ['ABCD-EFGHJ', null],
    ['ABCD-EFGI', null],
    ['ABCD-EFGO', null],
    ['ABCD-EFG1', null],
    ['ABCDEFGÄ', null],
    ['', null],
  ])('typed as %j reads as %j', (typed, code) => {
    expect(readCode(typed)).toBe(code);
  });
});

describe('claim and capability', () => {
  const binding = {
    id: 'attempt_a',
    claim_hash: 'c',
    mac_address: '00:50:56:01:02:03',
    kickstart_revision: 'r',
    listener_origin: 'http://10.10.0.5:8081',
    applied_digest: 'd',
  };

  test('have 256 bits', () => {
    for (const secret of [newClaim(systemEntropy), capabilityOf(keys, binding)]) {
      expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
      expect(isSecret(secret)).toBe(true);
      expect(secretHash(secret)).not.toContain(secret);
    }
  });

  test('the capability is another one when anything that it is bound to is', () => {
    const all = [
      binding,
      ...Object.keys(binding).map((member) => ({ ...binding, [member]: 'x' })),
      { ...binding, id: 'attempt_', claim_hash: 'ac' },
    ];
    const made = [...all.map((each) => capabilityOf(keys, each)), capabilityOf(others, binding)];
    expect(new Set(made).size).toBe(made.length);
  });
});

describe('a sealed text', () => {
  const shell = () => ({ keys, entropy: systemEntropy });
  const place = { table: 'network_boot_kickstart', row: 'ks_a', field: 'text' };

  test('opens where it belongs and nowhere else, and says nothing of itself', () => {
    const text = 'rootpw CanaryQWZX äöü\n';
    const sealed = sealText(shell(), place, text);
    expect(openText(keys, place, sealed)).toBe(text);
    expect(sealText(shell(), place, text)).not.toBe(sealed);
    expect(sealed + Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('Canary');
    const elsewhere = [
      { ...place, row: 'ks_b' },
      { ...place, table: 'network_boot_host' },
      { ...place, field: 'variables' },
      { table: 'network_boot_kickstart\0ks_a', row: 'text', field: '' },
    ];
    for (const wrong of elsewhere) expect(() => openText(keys, wrong, sealed)).toThrow(/can't be opened/);
    expect(() => openText(others, place, sealed)).toThrow(/can't be opened/);
  });

  test('that was changed anywhere does not open', () => {
    const sealed = sealText(shell(), place, 'abc');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(() => openText(keys, place, `s1.${changed.toString('base64url')}`)).toThrow(/can't be opened/);
    }
    for (const cut of ['', 's1.', 's1.AAAA', sealed.slice(3), `s2.${sealed.slice(3)}`, sealed.slice(0, 30)]) {
      expect(() => openText(keys, place, cut)).toThrow(/can't be opened/);
    }
  });

  test('has a digest that tells equal from other, under the key alone', () => {
    const digest = sealedDigest(keys, place, 'a');
    expect(sealedDigest(keys, place, 'a')).toBe(digest);
    for (const other of [sealedDigest(keys, place, 'b'), sealedDigest(others, place, 'a')])
      expect(other).not.toBe(digest);
    expect(sealedDigest(keys, { ...place, row: 'x' }, 'a')).not.toBe(digest);
  });
});

const APPLIED: AppliedHost = {
  host: {
    id: 'host_a',
    hostname: 'esx01.lab.example',
    mac_address: '00:50:56:01:02:03',
    ip_address: '10.10.0.21',
    kickstart_id: 'ks_a',
    media_id: 'medium_a',
    variables: 's1.x',
    variables_digest: 'v1',
  },
  kickstart: { id: 'ks_a', name: 'Lab', revision: 'r1', text: 's1.y' },
  medium: {
    id: 'medium_a',
    name: 'ESXi 9',
    content_digest: 'c1',
    loaders: { efi: 'm.efi', bios: null },
    boot_config: [],
  },
};
const DESIRED: DesiredHost = {
  id: 'host_a',
  hostname: 'esx01.lab.example',
  mac_address: '00:50:56:01:02:03',
  ip_address: '10.10.0.21',
  enabled: 1,
  variables_digest: 'v1',
  kickstart: 'Lab',
  kickstart_id: 'ks_a',
  text_revision: 'r1',
  medium: 'ESXi 9',
  media_id: 'medium_a',
  content_digest: 'c1',
};

describe('drift', () => {
  test('is none while saved and applied agree', () => {
    expect(differences(DESIRED, APPLIED)).toEqual([]);
    // A name is no part of what is installed.
    expect(differences({ ...DESIRED, kickstart: 'Renamed', medium: 'Renamed' }, APPLIED)).toEqual([]);
  });

  test.each<[Partial<DesiredHost>, [string, string, string][]]>([
    [{ hostname: 'esx02' }, [['hostname', 'esx02', 'esx01.lab.example']]],
    [{ mac_address: '00:50:56:01:02:04' }, [['mac_address', '00:50:56:01:02:04', '00:50:56:01:02:03']]],
    [{ ip_address: '' }, [['ip_address', 'none', '10.10.0.21']]],
    [{ text_revision: 'r2' }, [['kickstart_text', 'revision r2', 'revision r1']]],
    [{ kickstart_id: 'ks_b', kickstart: 'Edge', text_revision: 'r2' }, [['kickstart_id', 'Edge', 'Lab']]],
    [{ kickstart_id: null, kickstart: null, text_revision: null }, [['kickstart_id', 'none', 'Lab']]],
    [{ media_id: null, medium: null, content_digest: null }, [['media_id', 'none', 'ESXi 9']]],
    [{ content_digest: 'c2' }, [['media_content', 'c2', 'c1']]],
    [{ variables_digest: 'v2' }, [['variables', 'changed', 'as applied']]],
    [{ enabled: 0 }, [['enabled', 'no', 'yes']]],
  ])('by %j says which field', (change, expected) => {
    const found = differences({ ...DESIRED, ...change }, APPLIED);
    expect(found.map(({ member, saved, applied }) => [member, saved, applied])).toEqual(expected);
  });
});

describe('the applied manifest', () => {
  const manifest = {
    version: 1 as const,
    listeners: [],
    hosts: [APPLIED.host],
    kickstarts: [APPLIED.kickstart!],
    media: [APPLIED.medium!],
  };

  test('reads as it was written, and what is none is refused without a quotation', () => {
    expect(parseManifest(writeManifest(manifest))).toEqual(manifest);
    for (const bad of ['', '{', '{"version":2}', '{"version":1,"secret":"CanaryQWZX"}', '[]']) {
      expect(() => parseManifest(bad)).toThrow(/^The applied manifest of network boot is not/);
    }
  });

  test('binds an attempt to all that its host installs, and to nothing else', () => {
    const digest = appliedDigest(APPLIED);
    const { host, kickstart, medium } = APPLIED;
    const same = {
      ...APPLIED,
      host: { ...host, variables: 's1.sealed again' },
      kickstart: { ...kickstart!, text: 's1.z' },
    };
    expect(appliedDigest(same)).toBe(digest);
    const others: AppliedHost[] = [
      ...(['hostname', 'mac_address', 'ip_address', 'variables_digest', 'id'] as const).map((member) => ({
        ...APPLIED,
        host: { ...host, [member]: 'x' },
      })),
      { ...APPLIED, kickstart: { ...kickstart!, revision: 'r2' } },
      { ...APPLIED, kickstart: null },
      { ...APPLIED, medium: { ...medium!, content_digest: 'c2' } },
      { ...APPLIED, medium: { ...medium!, loaders: { efi: 'other.efi', bios: null } } },
    ];
    for (const other of others) expect(appliedDigest(other)).not.toBe(digest);
  });
});

describe('paths', () => {
  test('of a Kickstart have one spelling', () => {
    expect(kickstartPath('00:50:56:01:02:03', 'r', 'c')).toBe('/boot/kickstarts/01-00-50-56-01-02-03/r/c.cfg');
    expect(macOfDashed('01-00-50-56-01-02-03')).toBe('00:50:56:01:02:03');
    for (const bad of [
      '00-50-56-01-02-03',
      '01-00-50-56-01-02-0G',
      '01-00-50-56-01-02-03-04',
      '01-00-50-56-AB-02-03',
    ]) {
      expect(macOfDashed(bad)).toBeNull();
    }
  });

  const claim = 'a'.repeat(43);
  test.each<[string, unknown]>([
    [
      '/boot/media/medium_a/efi/boot/bootx64.efi',
      { kind: 'medium', media_id: 'medium_a', name: 'efi/boot/bootx64.efi' },
    ],
    ['/boot/media/medium_a/B%20B', { kind: 'medium', media_id: 'medium_a', name: 'B B' }],
    [`/boot/attempts/${claim}/m.efi`, { kind: 'loader', claim, name: 'm.efi' }],
    ['/boot/media/medium_a/', null],
    ['/boot/media/medium_a', null],
    ['/boot/media/../x', null],
    ['/boot/media/medium_a/../x', null],
    ['/boot/media/medium_a/%2e%2e/x', null],
    ['/boot/media/medium_a/a%2fb', null],
    ['/boot/media/medium_a/a%5cb', null],
    ['/boot/media/medium_a//b', null],
    ['/boot/media/medium_a/%00', null],
    ['/boot/media/medium_a/%zz', null],
    ['/boot/media/a.b/c', null],
    ['/boot/attempts/short/m.efi', null],
    ['/boot/other/medium_a/x', null],
  ])('%s is %j', (path, expected) => {
    expect(bootFilePath(path)).toEqual(expected);
  });
});
