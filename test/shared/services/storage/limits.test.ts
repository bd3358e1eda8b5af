// Size limits of datastores: the file of them and its guard, what takes another mount, what is refused, what hosts are to see,
// and the script that puts them in force.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GUARD } from '../../../../shared/appliance/host-guard.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { projectIds } from '../../../../shared/services/storage/export-ids.ts';
import { facts } from '../../../../shared/services/storage/facts.ts';
import { LIMITS_FILE, mountFile } from '../../../../shared/services/storage/files.ts';
import { impact } from '../../../../shared/services/storage/impact.ts';
import {
  capacities,
  fileSystemsIn,
  limitFaults,
  setsLimits,
  uncountedFaults,
  uncountedVolumes,
} from '../../../../shared/services/storage/limits.ts';
import { faultOf, questionsOf } from '../../../../shared/services/storage/probe.ts';
import { render } from '../../../../shared/services/storage/render.ts';
import { change, desired, same, textOf, VOLUME } from './scene.ts';

const SCRIPT = fileURLToPath(new URL('../../../../build/appliance/limit-datastores', import.meta.url));
const limited = desired({ size_limit_gib: 5 }, { path: 'free' });
const project = projectIds(['ds_0', 'ds_1']).get('ds_0')!;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-limits-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What udev and the kernel say of the disk of the volume. */
function machine(kind: string, options: string) {
  const [udev, mounts] = [join(folder, 'udev'), join(folder, 'mounts')];
  mkdirSync(udev);
  writeFileSync(join(udev, 'b8:16'), `S:disk/by-id/scsi-36000c29e\nE:ID_FS_TYPE=${kind}\n`);
  writeFileSync(mounts, `36 35 8:16 / ${VOLUME.mount_path} rw,nodev shared:1 - ${kind} /dev/sdb rw,${options}\n`);
  return { udev, mounts, sys: folder, swaps: join(folder, 'swaps') };
}

describe('the file of limits', () => {
  test('has a line for each datastore with one, by a project of its row', () => {
    expect(textOf(limited, LIMITS_FILE)).toBe(`${project} 5 /srv/datastores/v-1 /srv/datastores/v-1/lab\n`);
    expect(textOf(desired({}), LIMITS_FILE)).toBeUndefined();
    expect(textOf(limited, LIMITS_FILE, 'namespace')).toBeUndefined();
  });

  test('a project is of the row alone, and no two have the same', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 300 }), (ids) => {
        const numbers = [...projectIds(ids).values()];
        expect(new Set(numbers).size).toBe(ids.length);
        for (const number of numbers) expect(number >= 1 && number <= 0x7fff_ffff).toBe(true);
      }),
    );
  });

  test('the disk counts by project only where a limit is', () => {
    expect(textOf(limited, mountFile(VOLUME.mount_path))).toContain('Options=nodev,nosuid,noexec,nofail,prjquota\n');
    expect(textOf(desired({}), mountFile(VOLUME.mount_path))).toContain('Options=nodev,nosuid,noexec,nofail\n');
  });

  test('the guard lets it pass, and nothing else in its place', () => {
    expect(render(limited, same).map((file) => GUARD.fileRefusal(file))).toEqual([null, null, null, null]);
    for (const line of [
      '0 5 /srv/datastores/v /srv/datastores/v/a',
      '7 0 /srv/datastores/v /srv/datastores/v/a',
      '7 5g /srv/datastores/v /srv/datastores/v/a',
      '7 5 /srv/datastores/v /srv/datastores/w/a',
      '7 5 /srv/datastores/v /srv/datastores/v/../../etc',
      '7 5 / /etc',
      '7 5 /srv/datastores/v /srv/datastores/v/a b',
      "7 5 /srv/datastores/v /srv/datastores/v/a';id",
    ])
      expect([line, GUARD.fileRefusal({ path: LIMITS_FILE, content: `${line}\n` })]).toEqual([
        line,
        expect.any(String),
      ]);
    expect(GUARD.daemonRefusal('groundcrew-datastore-limits.service')).toBeNull();
  });
});

describe('what a limit means', () => {
  const means = (before: number, after: number) =>
    impact(change(desired({ size_limit_gib: before }), desired({ size_limit_gib: after })));

  test.each([
    ['a first one', 0, 5, 'medium', /has 5 GiB from now on, .* nobody writes beyond that, not even root/, /stalls/],
    ['a smaller one', 5, 2, 'medium', /has 2 GiB from now on/, /none/],
    ['a larger one', 2, 5, 'low', /has 5 GiB from now on, which hosts see as its capacity\./, /none/],
    ['none any more', 5, 0, 'low', /no size limit any more/, /none/],
  ] as const)('%s', (_what, before, after, risk, says, interruption) => {
    const told = means(before, after);
    expect(told.risk).toBe(risk);
    expect(told.says.join('\n')).toMatch(says);
    expect(told.interruption).toMatch(interruption);
  });

  test('without one the facts are those of before there were limits', () => {
    const [, found] = [...facts(desired({}))].find(([key]) => key.startsWith('datastore '))!;
    expect(Object.keys(found as object)).not.toContain('size_limit');
  });

  test('it is set while there is one, and taken away with the last', () => {
    const of = (before: typeof limited, after: typeof limited) => setsLimits(after, change(before, after));
    expect([
      of(desired({}), limited),
      of(limited, limited),
      of(limited, desired({})),
      of(desired({}), desired({})),
    ]).toEqual([true, true, true, false]);
  });
});

describe('the disk', () => {
  test('ext4 is refused, since a limit there does not bind root', async () => {
    const [fault] = await limitFaults(limited, machine('ext4', ''));
    expect(fault).toMatch(/its volume v-1 carries ext4: only XFS enforces limits against root/);
  });

  test('XFS, a disk that is away, and no limit at all are fine', async () => {
    const seen = machine('xfs', '');
    expect(await limitFaults(limited, seen)).toEqual([]);
    expect(await limitFaults(limited, { ...seen, udev: join(folder, 'none') })).toEqual([]);
    expect(await limitFaults(desired({}), { ...seen, udev: join(folder, 'none') })).toEqual([]);
  });

  test('XFS that was mounted without quota is mounted anew, and is drift', async () => {
    const seen = machine('xfs', 'noquota');
    expect(await uncountedVolumes(limited, seen)).toEqual([VOLUME]);
    expect(await uncountedFaults(limited, seen)).toEqual([expect.stringMatching(/v-1 is mounted without quota/)]);
    expect(await uncountedVolumes(desired({}), seen)).toEqual([]);
    writeFileSync(seen.mounts, readFileSync(seen.mounts, 'utf8').replace('noquota', 'prjquota'));
    expect(await uncountedVolumes(limited, seen)).toEqual([]);
  });

  test('of two mounts at a place the last is on top', () => {
    const row = (options: string) => `1 2 8:1 / /srv/datastores/v rw - xfs /dev/a ${options}`;
    const found = fileSystemsIn(`${row('rw,prjquota')}\n${row('rw,noquota')}\n`);
    expect(found.get('/srv/datastores/v')).toEqual({ kind: 'xfs', counts: false });
  });
});

describe('what hosts see', () => {
  const host = (kind: string) => ({ kind, resolve: () => folder }) as unknown as Host;
  const { blocks, bsize } = statfsSync(tmpdir(), { bigint: true });

  test('is the limit, or the disk where that is smaller, and nothing is said of a namespace', async () => {
    const all = desired({ name: 'small', size_limit_gib: 1 }, { name: 'large', path: 'b', size_limit_gib: 1_048_576 });
    const found = await capacities(host('system'), all);
    expect(found.get('small')).toBe(blocks * bsize < 2n ** 30n ? blocks * bsize : 2n ** 30n);
    expect(found.get('large')).toBe(blocks * bsize);
    expect((await capacities(host('namespace'), all)).size).toBe(0);
  });

  test('another size is a fault', () => {
    const questions = questionsOf(limited.datastores.slice(0, 1)).filter(({ stranger }) => !stranger);
    const answer = (total: string) => [{ total, available: '0', refused: null, error: null }];
    const sizes = new Map([[questions[0]!.name, 5n << 30n]]);
    expect(faultOf(questions, answer(`${5n << 30n}`), sizes)).toBeNull();
    expect(faultOf(questions, answer(`${9n << 30n}`), sizes)).toMatch(
      /shows hosts 9 GiB, but by its size limit it has 5/,
    );
    expect(faultOf(questions, answer(`${9n << 30n}`))).toBeNull();
  });
});

describe('the script', () => {
  /** Stand-ins for xfs_quota, which answers a report, and for sync(1) write down what they are asked. */
  function runs(mounts: string, limits: string | null, report = '') {
    const [bin, log] = [join(folder, 'bin'), join(folder, 'log')];
    mkdirSync(bin, { recursive: true });
    writeFileSync(log, '');
    writeFileSync(
      join(bin, 'xfs_quota'),
      `#!/bin/sh\necho "$3 $4" >>${log}\ncase $3 in report*) cat ${folder}/report ;; *fails*) exit 1 ;; esac\n`,
      { mode: 0o755 },
    );
    writeFileSync(join(bin, 'sync'), `#!/bin/sh\necho "sync $*" >>${log}\n`, { mode: 0o755 });
    writeFileSync(join(folder, 'report'), report);
    writeFileSync(join(folder, 'mounts'), mounts);
    if (limits !== null) writeFileSync(join(folder, 'limits'), limits);
    const ran = spawnSync('sh', [SCRIPT, join(folder, 'limits'), join(folder, 'mounts')], {
      encoding: 'utf8',
      env: { PATH: `${bin}:${process.env.PATH}` },
      timeout: 20_000,
    });
    return { code: ran.status, said: ran.stderr, asked: readFileSync(log, 'utf8').trim().split('\n').filter(Boolean) };
  }
  const MOUNTS = '/dev/a / ext4 rw 0 0\n/dev/b /srv/datastores/v xfs rw,nodev,prjquota 0 0\n';
  const LINE = '7 5 /srv/datastores/v /srv/datastores/v/lab\n';
  const SET = [
    'project -s -p /srv/datastores/v/lab 7 /srv/datastores/v',
    'limit -p bhard=5g 7 /srv/datastores/v',
    'report -p -n -N -b /srv/datastores/v',
  ];
  const ON_THE_DISK = 'sync -f /srv/datastores/v';

  test('sets what is written, after the header, takes away what is not, and has it on the disk at the end', () => {
    const report =
      '#0 10 0 0 00 [--------]\n#7 10 0 5242880 00 [--------]\n#9 10 0 1024 00 [--------]\n#8 1 0 0 00 [-]\n';
    const { code, asked } = runs(MOUNTS, `# Written by Groundcrew\n${LINE}`, report);
    expect([code, asked]).toEqual([0, [...SET, 'limit -p bhard=0 9 /srv/datastores/v', ON_THE_DISK]]);
  });

  test('without the file all limits go', () => {
    const { code, asked } = runs(MOUNTS, null, '#7 10 0 5242880 00 [--------]\n');
    expect([code, asked]).toEqual([0, [SET[2], 'limit -p bhard=0 7 /srv/datastores/v', ON_THE_DISK]]);
  });

  test('touches no disk of the appliance itself, and none that is no XFS or does not count', () => {
    const others =
      '/dev/a / xfs rw,prjquota 0 0\n/dev/c /srv/datastores/w ext4 rw 0 0\n/dev/d /srv/datastores/x xfs rw 0 0\n';
    expect(runs(others, LINE)).toMatchObject({ code: 0, asked: [] });
  });

  test('a volume that does not count fails, in words', () => {
    const { code, said, asked } = runs(MOUNTS.replace(',prjquota', ''), LINE);
    expect([code, asked]).toEqual([1, []]);
    expect(said).toMatch(/\/srv\/datastores\/v is mounted without quota by project/);
  });

  test('one limit that can’t be set fails, and the others are set', () => {
    const { code, asked } = runs(MOUNTS, `6 5 /srv/datastores/v /srv/datastores/v/fails\n${LINE}`);
    expect(code).toBe(1);
    expect(asked).toEqual(expect.arrayContaining(SET));
  });
});
