// What is kept in memory only: few, for a while, and overwritten when it goes.
import { describe, expect, test } from '@jest/globals';
import type { Services } from '../../../shared/operation/services.ts';
import { Transient, typedLogins } from '../../../shared/remote/transient.ts';
import { APPLIANCE_FAULTS, ApplianceFault, type ApplianceReason } from '../../../shared/vcf-api/fault.ts';

function clock(start = 0) {
  const state = { now: start };
  return { state, clock: { now: () => new Date(state.now) } };
}

describe('what is kept in memory', () => {
  test('goes when its time is over, and not before', () => {
    const { state, clock: at } = clock();
    const wiped: string[] = [];
    const kept = new Transient<string>(
      { clock: at },
      { most: 3, seconds: 10, wipe: (value) => void wiped.push(value) },
    );
    kept.put('a', 'one');
    state.now = 9_999;
    expect([kept.get('a'), wiped]).toEqual(['one', []]);
    state.now = 10_000;
    expect([kept.get('a'), kept.size, wiped]).toEqual([null, 0, ['one']]);
  });

  test('is bounded: the one that was touched longest ago goes', () => {
    const wiped: string[] = [];
    const limits = { most: 2, seconds: 10, wipe: (value: string) => void wiped.push(value) };
    const kept = new Transient<string>({ clock: clock().clock }, limits);
    kept.put('a', 'one');
    kept.put('b', 'two');
    kept.put('a', 'one');
    kept.put('c', 'three');
    expect([kept.get('a'), kept.get('b'), kept.get('c'), wiped]).toEqual(['one', null, 'three', ['two']]);
    kept.put('a', 'another');
    expect([kept.get('a'), wiped]).toEqual(['another', ['two', 'one']]);
  });

  test('has a bound for each owner, who loses only what is the own', () => {
    const each = { most: 2, ownerOf: (value: string) => value[0]! };
    const kept = new Transient<string>({ clock: clock().clock }, { most: 4, seconds: 10, each });
    for (const value of ['b0', 'a1', 'a2', 'a3', 'a4']) kept.put(value, value);
    expect(['b0', 'a1', 'a2', 'a3', 'a4'].filter((id) => kept.get(id))).toEqual(['b0', 'a3', 'a4']);
    kept.put('a4', 'a4');
    expect([kept.size, kept.get('a3')]).toEqual([3, 'a3']);
  });

  test('of typed logins: a new one is refused rather than that of another job dropped', () => {
    const logins = typedLogins({ store: {}, ...clock() } as unknown as Services);
    for (let n = 0; n < 64; n++) logins.put(`job_${n}`, { username: 'a', password: `${n}` });
    expect(() => logins.put('job_64', { username: 'a', password: 'b' })).toThrow('Too many jobs wait');
    logins.put('job_0', { username: 'a', password: 'again' });
    expect([logins.size, logins.get('job_0')?.password, logins.get('job_1')?.password]).toEqual([64, 'again', '1']);
  });

  test('of a typed login: found by its job, gone once it is dropped, and of one service alone', () => {
    const service = (): Services => ({ store: {}, clock: clock().clock }) as unknown as Services;
    const [mine, other] = [service(), service()];
    typedLogins(mine).put('job_a', { username: 'admin@local', password: 'pässword' });
    expect(typedLogins(mine).get('job_a')).toEqual({ username: 'admin@local', password: 'pässword' });
    expect(typedLogins(other).get('job_a')).toBeNull();
    expect(JSON.stringify(typedLogins(mine))).toBe('{}');
    typedLogins(mine).drop('job_a');
    expect([typedLogins(mine).get('job_a'), typedLogins(mine).size]).toEqual([null, 0]);
  });
});

test.each(Object.entries(APPLIANCE_FAULTS))('the appliance’s fault %s has a code of its own', (reason, { code }) => {
  const fault = new ApplianceFault(reason as ApplianceReason, 'It did not work.');
  expect([fault.code, fault.status]).toEqual([code, 409]);
  expect(fault.code).toMatch(/^remote_/);
});
