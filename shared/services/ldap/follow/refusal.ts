// What slapd says when it refuses one entry, in plain words. Pure.
import type { ExecResult } from '../../../ground/machine/host.ts';
import type { Change } from './ldif.ts';

export interface Refused {
  dn: string;
  /** In plain words, without values. */
  detail: string;
}

/** Result codes of RFC 4511, appendix A, that are about the one entry. */
const CAUSES: Readonly<Record<number, string>> = {
  16: 'an attribute that is to go is not there',
  17: 'slapd does not know one of its attributes',
  18: 'an attribute can’t be compared as it has to be',
  19: 'a value breaks a rule of slapd',
  20: 'a value is there twice',
  21: 'a value is not of the form that its attribute has',
  32: 'its parent entry does not exist',
  34: 'its name is not a valid distinguished name',
  53: 'slapd is not willing to do it',
  64: 'its name breaks a rule of slapd',
  65: 'its attributes do not fit its kind',
  66: 'other entries stand below it',
  68: 'another entry has its name',
  69: 'its kind can’t be changed',
  80: 'slapd could not store it: its database may be full, or its disk',
};

/** ldapmodify says each entry before it asks. */
const SAID = /^(?:adding new|modifying|deleting) entry "/gm;

/** Which change was refused, and why; null when it was not one entry that was refused, but everything. */
export function refusalOf(
  { code, stdout }: Pick<ExecResult, 'code' | 'stdout'>,
  changes: readonly Change[],
): { at: number; refused: Refused } | null {
  const cause = CAUSES[code];
  const at = (stdout.match(SAID) ?? []).length - 1;
  const change = changes[at];
  return cause === undefined || !change ? null : { at, refused: { dn: change.dn, detail: `${cause} (code ${code})` } };
}
