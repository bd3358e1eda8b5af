// Of two hundred datastores one changes: what is asked, mounted and limited then, and that all of it is when all is wanted.
import { describe, expect, test } from '@jest/globals';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import type { DesiredDatastore, StorageDesired } from '../../../../shared/services/storage/desired.ts';
import { setsLimits } from '../../../../shared/services/storage/limits.ts';
import { forgetLooks, look, takeLook } from '../../../../shared/services/storage/look.ts';
import { questionsOf } from '../../../../shared/services/storage/probe.ts';
import {
  isWhole,
  touchedDatastores,
  touchedMounts,
  touchesMounts,
} from '../../../../shared/services/storage/touched.ts';
import { change, desired, VOLUME } from './scene.ts';

const many = (count: number, one: Partial<DesiredDatastore> = {}, more: Partial<DesiredDatastore> = {}) =>
  desired(
    ...Array.from({ length: count }, (_, at) => ({
      name: `lab-${at}`,
      path: `lab-${at}`,
      ...more,
      ...(at === Math.min(7, count - 1) ? one : {}),
    })),
  );
const names = (all: readonly { name: string }[]) => all.map(({ name }) => name);
const asked = (before: StorageDesired, after: StorageDesired) =>
  names(touchedDatastores(after.datastores, change(before, after)));

describe('an apply', () => {
  test('asks for what changed, and one other of each version and address', () => {
    expect(asked(many(200), many(200, { clients: ['10.1.0.0/24'] }))).toEqual(['lab-0', 'lab-7']);
    const both = { addresses: ['10.0.0.5', 'fd00::5'], clients: ['10.0.0.0/24', 'fd00::/64'] };
    const mixed = (one: Partial<DesiredDatastore>) => ({
      ...many(20, one),
      datastores: many(20, one).datastores.map((each, at) => (at === 11 ? { ...each, ...both } : each)),
    });
    // lab-0 has one address, and lab-11 one more.
    expect(asked(mixed({}), mixed({ clients: ['10.1.0.0/24'] }))).toEqual(['lab-0', 'lab-7', 'lab-11']);
  });

  test('asks for all after a restart, at the first time, and where nothing saved differs', () => {
    expect(asked(many(20), many(20, { version: '3' }))).toHaveLength(20);
    expect(asked(many(20), many(20))).toHaveLength(20);
    const first = { ...change(many(20), many(20)), before: null };
    expect(touchedDatastores(many(20).datastores, first)).toHaveLength(20);
  });

  test('leaves the mounts alone, unless one of them is another', () => {
    const clients = change(many(3), many(3, { clients: ['10.1.0.0/24'] }));
    const other = { name: 'w', device: '/dev/disk/by-id/scsi-2', mount_path: '/srv/datastores/w' };
    const added = change(many(3), { ...many(3), volumes: [VOLUME, other] });
    const counts = change(many(3), many(3, {}, { size_limit_gib: 5 }));
    expect([clients, added, counts, change(many(3), many(3))].map(touchedMounts)).toEqual([
      new Set(),
      new Set(['/srv/datastores/w']),
      // The first limit takes another mount.
      new Set([VOLUME.mount_path]),
      null,
    ]);
    expect([clients, added, counts, change(many(3), many(3))].map(touchesMounts)).toEqual([false, true, true, true]);
    expect([clients, change(many(3), many(3))].map(isWhole)).toEqual([false, true]);
  });

  test('sets limits where one changed, a disk was mounted, or all is put in force', () => {
    const limited = many(3, {}, { size_limit_gib: 5 });
    const clients = many(3, { clients: ['10.1.0.0/24'] }, { size_limit_gib: 5 });
    expect(setsLimits(clients, change(limited, clients))).toBe(false);
    expect(setsLimits(clients, change(limited, clients), [VOLUME.mount_path])).toBe(true);
    expect(setsLimits(many(3, { size_limit_gib: 6 }), change(limited, many(3, { size_limit_gib: 6 })))).toBe(true);
    expect(setsLimits(limited, change(limited, limited))).toBe(true);
  });
});

describe('a comparison', () => {
  const right = { fault: null, said: 'right' };
  function asking(answer = right as { fault: string | null; said: string }) {
    const turns: string[][] = [];
    const ask = async (of: readonly DesiredDatastore[]) => {
      turns.push(names(of));
      return answer;
    };
    return { turns, ask };
  }

  test('mounts all; who must be refused is tried at what is told, and at all of 4.1', () => {
    const of = (version: '3' | '4.1', told: number) => {
      const all = many(4, {}, { version }).datastores;
      const questions = questionsOf(all, all.slice(0, told));
      return [questions.filter(({ stranger }) => !stranger), questions.filter(({ stranger }) => stranger)].map(names);
    };
    const every = ['lab-0', 'lab-1', 'lab-2', 'lab-3'];
    expect(of('4.1', 1)).toEqual([every, every]);
    expect(of('3', 1)).toEqual([every, ['lab-0']]);
  });

  test('by the clock is of all; right after an apply, of what was not found right before', async () => {
    const host = {} as Host;
    const { turns, ask } = asking();
    const [before, after] = [many(20), many(20, { clients: ['10.1.0.0/24'] })];
    await look(host, before, undefined, ask);
    await look(host, after, 'touched', ask);
    await look(host, after, 'touched', ask);
    await look(host, after, 'all', ask);
    expect(turns.map((turn) => turn.length)).toEqual([20, 2, 1, 20]);
    expect(turns[1]).toEqual(['lab-0', 'lab-7']);
  });

  test('is of all after one that was not right, and after all that was known was given up', async () => {
    const host = {} as Host;
    const { turns, ask } = asking();
    await look(host, many(20), 'all', asking({ fault: 'gone', said: '' }).ask);
    await look(host, many(20), 'touched', ask);
    forgetLooks(host);
    await look(host, many(20), 'touched', ask);
    expect(turns.map((turn) => turn.length)).toEqual([20, 20]);
  });

  test('is taken once, for the state that it was of', async () => {
    const host = {} as Host;
    const state = many(2);
    await look(host, state, 'all', asking().ask);
    expect([takeLook(host, many(2)), takeLook(host, state)]).toEqual([null, null]);
    await look(host, state, 'all', asking().ask);
    expect([takeLook(host, state), takeLook(host, state)]).toEqual([right, null]);
  });
});
