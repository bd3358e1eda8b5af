// What somebody changed by hand of the password policies, the configuration and the listeners of slapd: what of it is a setting
// of the directory, and what can only be put back.
import * as v from 'valibot';
import type { Blocker } from '../../../ground/problems.ts';
import type { RowsFound } from '../../../platform/units/row-adoption.ts';
import { settingsSchemas } from '../../../platform/units/settings-schemas.ts';
import { type LdapDesired, type LdapSettings, listenersOf, placeOf } from '../desired.ts';
import type { OrganizationEntries } from '../entries.ts';
import type { Attributes } from '../follow/ldif.ts';
import { ldapSettings } from '../settings.ts';
import {
  type ConfigDifference,
  configDifferences,
  type Expected,
  isSecurity,
  placesBetween,
  plainBindIn,
  portsIn,
  type Running,
} from './configuration.ts';
import { policyValue } from './policy.ts';

const SUBJECT = 'Settings of LDAP';
const PUT_BACK = 'the next apply puts it back';
const NO_SETTING = `it is no setting here, and ${PUT_BACK}`;

/** A setting, as slapd has it. */
export interface FoundSetting {
  member: keyof LdapSettings;
  value: number | boolean;
  /** Where and what: `cn=password-policy,ou=system,dc=lab: pwdMaxFailure is 7`. */
  told: string;
  ours?: boolean;
}

export interface SettingsFound {
  values: FoundSetting[];
  /** Why a value can't be a setting, by its member. */
  faults: string[];
  /** What no setting says, one clause each. */
  left: string[];
}

export const nothingFound = (): SettingsFound => ({ values: [], faults: [], left: [] });

/** Of one policy: `names` are the attributes that differ. */
export function findPolicy(
  all: SettingsFound,
  dn: string,
  { suffix }: Pick<OrganizationEntries, 'suffix'>,
  { names, attributes }: { names: readonly string[]; attributes: Attributes },
): void {
  for (const name of names) {
    const found = policyValue(dn, suffix, name, attributes);
    const told = `${dn}: ${found?.told ?? `${name} was changed`}`;
    if (found === null) all.left.push(`${told}; ${NO_SETTING}`);
    else if (found.value === null)
      all.faults.push(`${found.member}: ${told}, and a setting is a whole number${found.unit && ` of ${found.unit}`}.`);
    else all.values.push({ member: found.member, value: found.value, told, ours: found.ours });
  }
}

/** Of the configuration and the listeners. `inForce`: what settings of ports are compared with. */
export function findRunning(
  all: SettingsFound,
  { settings, listen }: Pick<LdapDesired, 'settings' | 'listen'>,
  wanted: Expected,
  running: Running,
): void {
  for (const difference of configDifferences(wanted.config, running.config)) {
    const value = isSecurity(difference) ? plainBindIn(running.config) : null;
    if (value === null) all.left.push(configClause(difference));
    else all.values.push({ member: 'allow_plain_bind', value, told: `cn=config: olcSecurity ${SECURITY[`${value}`]}` });
  }
  const differ = placesBetween(wanted.places, running.places);
  if (differ.more.length + differ.less.length === 0) return;
  const ports = portsIn({ settings, listen }, running.places);
  for (const [member, value] of Object.entries(ports) as [keyof typeof ports, number | boolean][])
    if (value !== settings[member]) all.values.push({ member, value, told: PORT[member](value) });
  const would = listenersOf({ settings: { ...settings, ...ports }, listen }).map(placeOf);
  const { more, less } = placesBetween(would, running.places);
  for (const place of more) all.left.push(`slapd listens at ${place}; ${NO_SETTING}`);
  for (const place of less) all.left.push(`slapd does not listen at ${place}; ${NO_SETTING}`);
}

const SECURITY = { true: 'lets clients bind without TLS', false: 'refuses clients that bind without TLS' };
const PORT: Record<keyof ReturnType<typeof portsIn>, (value: number | boolean) => string> = {
  ldaps_enabled: (on) => `slapd ${on ? 'speaks' : 'does not speak'} LDAPS`,
  ldaps_port: (port) => `slapd speaks LDAPS at port ${port}`,
  ldap_enabled: (on) => `slapd ${on ? 'speaks' : 'does not speak'} LDAP that begins in the clear`,
  ldap_port: (port) => `slapd speaks LDAP at port ${port}`,
};

function configClause({ dn, name, state }: ConfigDifference): string {
  if (state === 'there') return `${dn} is there, though nobody applied it; the next apply takes it away`;
  if (state === 'missing') return `${dn} is missing; ${PUT_BACK}`;
  return `${dn}: ${name} was changed; ${NO_SETTING}`;
}

/** For drift: each value, and what becomes of it. */
export const settingsClauses = ({ values, faults, left }: SettingsFound): string[] => [
  ...values.map(({ told, member }) => `${told}; ${PUT_BACK}, unless it is adopted as ${member}`),
  ...faults.map((fault) => `${fault.replace(/\.$/, '')}; ${PUT_BACK}`),
  ...left,
];

/** For adoption. `organizations`: how many there are. */
export function adoptSettings(all: RowsFound, { values, faults, left }: SettingsFound, organizations: number): void {
  all.left.push(...left);
  const refuse = (reason: string) => all.refusals.push(blocker(reason));
  for (const fault of faults) refuse(fault);
  const byMember = Map.groupBy(values, ({ member }) => member);
  const draft: Record<string, unknown> = {};
  for (const [member, each] of byMember) {
    const [{ value, ours }] = each as [FoundSetting];
    const told = each.map((one) => one.told).join('; ');
    if (each.some((one) => one.value !== value)) {
      refuse(`${member}: slapd has different values, and here they are one. ${told}.`);
      continue;
    }
    draft[member] = value;
    if (ours) all.left.push(`${told}: it is kept as ${member}, by which the service looks at new passwords; ${GOES}`);
    else if (each.length < PLACES(member) * organizations)
      all.left.push(`${member} holds for all users and bind accounts of all organizations: ${OTHERS}`);
  }
  const valid = v.safeParse(settingsSchemas(ldapSettings).update, draft);
  for (const issue of valid.success ? [] : valid.issues) {
    const member = v.getDotPath(issue)!;
    refuse(`${member}: ${issue.message} ${byMember.get(member as keyof LdapSettings)?.[0]?.told}.`);
  }
  if (Object.keys(draft).length > 0 && valid.success)
    all.settings = { subject: SUBJECT, definition: ldapSettings, values: draft };
}

const GOES = 'the next apply takes it away from slapd, which is given hashes alone';
const OTHERS = 'the next apply sets it where it was not changed';
/** Entries of an organisation that a setting is in. */
const PLACES = (member: keyof LdapSettings): number =>
  member === 'password_max_failures' || member === 'password_lockout_minutes' ? 2 : member in SINGLE ? 1 : 0;
const SINGLE = { password_max_age_days: true };

const blocker = (reason: string): Blocker => ({
  subject: SUBJECT,
  reason,
  page: ldapSettings.page,
  unblock: 'Change it in slapd, or apply LDAP again, which puts it back',
});
