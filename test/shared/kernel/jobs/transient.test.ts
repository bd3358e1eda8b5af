// What is kept in memory only: few, for a while, and overwritten when it goes.
import { describe, expect, test } from '@jest/globals';
import { Transient } from '../../../../shared/kernel/jobs/transient.ts';
import { APPLIANCE_FAULTS, ApplianceFault, type ApplianceReason } from '../../../../shared/vcf/vcf-api/fault.ts';

function clock(start = 0) {
  const state = { now: start };
  return { state, uptime: { boot: 'boot', milliseconds: () => state.now } };
}

describe('what is kept in memory', () => {
  test('goes when its time is over, and not before', () => {
    const { state, uptime } = clock();
    const wiped: string[] = [];
    const kept = new Transient<string>({ uptime }, { most: 3, seconds: 10, wipe: (value) => void wiped.push(value) });
    kept.put('a', 'one');
    state.now = 9_999;
    expect([kept.get('a'), wiped]).toEqual(['one', []]);
    state.now = 10_000;
    expect([kept.get('a'), kept.size, wiped]).toEqual([null, 0, ['one']]);
  });

  test('is bounded: the one that was touched longest ago goes', () => {
    const wiped: string[] = [];
    const limits = { most: 2, seconds: 10, wipe: (value: string) => void wiped.push(value) };
    const kept = new Transient<string>(clock(), limits);
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
    const kept = new Transient<string>(clock(), { most: 4, seconds: 10, each });
    for (const value of ['b0', 'a1', 'a2', 'a3', 'a4']) kept.put(value, value);
    expect(['b0', 'a1', 'a2', 'a3', 'a4'].filter((id) => kept.get(id))).toEqual(['b0', 'a3', 'a4']);
    kept.put('a4', 'a4');
    expect([kept.size, kept.get('a3')]).toEqual([3, 'a3']);
  });

  test('stays for another time while it is in use', () => {
    const { state, uptime } = clock();
    const kept = new Transient<string>({ uptime }, { most: 3, seconds: 10 });
    kept.put('a', 'one');
    kept.stay('a', Number.POSITIVE_INFINITY);
    state.now = 1e9;
    expect(kept.get('a')).toBe('one');
    kept.stay('a', 10);
    state.now += 10_000;
    expect(kept.get('a')).toBeNull();
  });
});

test.each(Object.entries(APPLIANCE_FAULTS))('the appliance’s fault %s has a code of its own', (reason, { code }) => {
  const fault = new ApplianceFault(reason as ApplianceReason, 'It did not work.');
  expect([fault.code, fault.status]).toEqual([code, 409]);
  expect(fault.code).toMatch(/^remote_/);
});
