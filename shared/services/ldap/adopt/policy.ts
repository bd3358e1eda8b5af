// From values of a password policy (draft-behera-ldap-password-policy, 5.2), as somebody set them in slapd by hand, to settings
// of the directory. Pure.
import type { LdapSettings } from '../desired.ts';
import type { Attributes } from '../follow/ldif.ts';
import { accountPolicyOf, passwordPolicyOf } from '../follow/wanted.ts';

interface Kept {
  member: keyof LdapSettings;
  /** What slapd counts in, in one of what the setting counts in. */
  per: number;
  /** What the setting counts in. */
  unit: string;
  /** The service looks at it itself: slapd, which is given hashes alone, is told nothing of it. */
  ours?: true;
}

const VALUES: Readonly<Record<string, Kept>> = {
  pwdMaxFailure: { member: 'password_max_failures', per: 1, unit: '' },
  pwdLockoutDuration: { member: 'password_lockout_minutes', per: 60, unit: 'minutes' },
  pwdMaxAge: { member: 'password_max_age_days', per: 86_400, unit: 'days' },
  pwdMinLength: { member: 'password_min_length', per: 1, unit: '', ours: true },
  pwdInHistory: { member: 'password_history', per: 1, unit: '', ours: true },
};

/** Attribute → what it is of a policy; empty for an entry that is none, or none with settings. */
function keptIn(dn: string, suffix: string): Readonly<Record<string, Kept>> {
  const name = dn.toLowerCase();
  if (name === passwordPolicyOf(suffix).toLowerCase()) return VALUES;
  if (name !== accountPolicyOf(suffix).toLowerCase()) return {};
  // Bind accounts have no age.
  const { pwdMaxAge: _none, ...others } = VALUES;
  return others;
}

export interface PolicyValue {
  member: keyof LdapSettings;
  /** In what the setting counts in; null: it is no whole number of that. */
  value: number | null;
  /** As slapd has it: `pwdLockoutDuration is 90`. */
  told: string;
  /** What the setting counts in; empty where it counts in nothing. */
  unit: string;
  /** Whether the service looks at it itself, so that slapd is told nothing of it. */
  ours: boolean;
}

/** Whether an entry is a policy whose values are settings. */
export const isPolicy = (dn: string, suffix: string): boolean => Object.keys(keptIn(dn, suffix)).length > 0;

/** Null: there is no setting for it. One that is gone is 0, as slapd takes it. */
export function policyValue(dn: string, suffix: string, attribute: string, found: Attributes): PolicyValue | null {
  const kept = keptIn(dn, suffix)[attribute];
  if (!kept) return null;
  const { member, per, unit, ours = false } = kept;
  const text = found[attribute]?.[0];
  const raw = text === undefined ? 0 : /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  const value = raw % per === 0 ? raw / per : null;
  const told = text === undefined ? `${attribute} is gone` : `${attribute} is ${Number.isNaN(raw) ? 'no number' : raw}`;
  return { member, value, told, unit, ours };
}
