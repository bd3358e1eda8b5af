// Steps of readiness: in order, done only by what is in force, and blocked by what has to be saved first.
import { expect, test } from '@jest/globals';
import { SUBJECTS, type Subject } from '../../../../shared/appliance/readiness/subjects.ts';
import { UNIT_IDS } from '../../../../shared/platform/unit-names.ts';
import type { Data } from '../../../../shared/platform/units/facts.ts';
import { stepsOf, type There, type UnitReadiness } from '../../../../shared/platform/units/readiness.ts';

const ALL = Object.entries(SUBJECTS) as [Subject, UnitReadiness][];

test('every unit says what it needs', () => {
  expect(new Set(ALL.map(([, { settings }]) => settings.unit))).toEqual(new Set(UNIT_IDS));
});

const order: UnitReadiness['order'] = [['zone'], ['record', 'zone'], ['applied', 'zone']];
const told = (saved: There<string>, inForce: There<string> | null, current = false) =>
  stepsOf({ order }, saved, inForce, current).map(({ step, saved, done, blockedBy }) => [step, saved, done, blockedBy]);

test('what is only saved is not done, and what needs it is free', () => {
  expect(told({ zone: true }, null)).toEqual([
    ['zone', true, false, null],
    ['record', false, false, null],
    ['applied', false, false, null],
  ]);
});

test('nothing is done before what it needs is there', () => {
  expect(told({}, null).map(([, , , blockedBy]) => blockedBy)).toEqual([null, 'zone', 'zone']);
});

test('what is in force is done, unless it is no longer saved', () => {
  expect(told({ zone: true }, { zone: true, record: true }, true)).toEqual([
    ['zone', true, true, null],
    ['record', false, false, null],
    ['applied', true, true, null],
  ]);
});

test('what takes effect at once is done as soon as it is saved', () => {
  const { order: own, atOnce } = SUBJECTS['certificate-authority'] as UnitReadiness;
  const steps = stepsOf({ order: own, atOnce: atOnce! }, { root: true, custody: false }, null, false);
  expect(steps.map(({ done }) => done)).toEqual([true, false]);
});

/** Facts in force → what of the steps they have. */
const IN_FORCE: [Subject, Record<string, Data>, There<string>][] = [
  ['network', { 'management_ui ens192': true }, { address: true }],
  ['firewall', { enabled: false }, { enabled: false }],
  ['dns', { names: true, 'listen ens192': {}, 'zone lab.example': true }, { enabled: true, zone: true, record: false }],
  ['dns', { names: true }, { enabled: false, zone: false, record: false }],
  ['dhcp', { names: true, dhcp: true, 'scope lab': {} }, { enabled: true, scope: true }],
  ['dhcp', { names: true }, { enabled: false, scope: false }],
  ['ntp', { enabled: false, 'source 192.0.2.1': {} }, { enabled: false, source: true }],
  ['private-cloud-services', { enabled: true, access: { user: 'depot' } }, { enabled: true, http_user: true }],
  ['private-cloud-services', { enabled: true, access: { user: '' } }, { enabled: true, http_user: false }],
  ['network-boot', { enabled: true, 'host esx01': { medium: null, kickstart: 'lab' } }, { enabled: true, host: false }],
  ['network-boot', { enabled: true, 'host esx01': { medium: 'esx', kickstart: 'lab' } }, { enabled: true, host: true }],
];

test.each(IN_FORCE)('%s of %j', (subject, facts, there) => {
  expect((SUBJECTS[subject] as UnitReadiness).inForce!(new Map(Object.entries(facts)))).toEqual(there);
});
