// Names that a certificate of a server is for: host names and addresses, in one spelling.
import { parseAddress } from '../../ground/addresses/address.ts';
import { canonicalName, hostNameFault } from '../../ground/addresses/domain-name.ts';
import { invalid } from '../../ground/problems.ts';

/** More than these are no longer one server. */
export const NAMES_MOST = 64;
/** Characters of a certificate signing request: with a key of 4096 bits and 64 names it has some 6,000. */
export const CSR_BYTES_MOST = 32_768;
/** Characters of an authority that is imported: a key and a chain of ten certificates have some 30,000. */
export const IMPORT_CHARACTERS_MOST = 65_536;
/** X.520: a common name is no longer. */
const COMMON_NAME_MOST = 64;

export const isAddress = (name: string): boolean => parseAddress(name) !== null;

/** Canonical, each once, in the order given. @throws Problem 422 at `/names/<n>` */
export function canonicalNames(names: readonly string[]): string[] {
  const faults = names.flatMap((name, at) => {
    const fault = isAddress(name.trim()) ? null : hostNameFault(canonicalName(name));
    return fault === null ? [] : [{ pointer: `/names/${at}`, detail: fault }];
  });
  if (faults.length > 0) throw invalid(...faults);
  const found = [...new Set(names.map((name) => parseAddress(name.trim())?.text ?? canonicalName(name)))];
  if (found.length === 0 || found.length > NAMES_MOST)
    throw invalid({ pointer: '/names', detail: `A certificate is for 1 to ${NAMES_MOST} names and addresses.` });
  return found;
}

/** The first name that fits; null when none does, and then the subject has none. */
export const commonNameOf = (names: readonly string[]): string | null =>
  names.find((name) => name.length <= COMMON_NAME_MOST) ?? null;

export const coversAll = (held: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((name) => held.includes(name));
