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
