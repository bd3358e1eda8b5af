// slapd over its socket, as the user of this process: the socket's folder is open to the service alone.

import { firstLine } from '../../../ground/machine/exec.ts';
import type { ExecResult, Host } from '../../../ground/machine/host.ts';
import { socketUrl } from '../files.ts';
import { type Change, type Entry, parseEntriesOf, writeChanges } from './ldif.ts';
import { type Refused, refusalOf } from './refusal.ts';

type Shell = Pick<Host, 'exec' | 'resolve'>;

/** A slapd that is gone refuses at once; one that has just started on a busy machine answers late. */
const AS_OURSELVES = ['-Y', 'EXTERNAL', '-Q', '-o', 'nettimeout=30'];
/** Milliseconds: of ten thousand entries that are all new. */
const PATIENCE = 300_000;
const ANSWER_MOST = 256 << 20;
const MUCH = { timeout: PATIENCE, output: ANSWER_MOST };
/** RFC 4511, 4.1.9. */
const NO_SUCH_OBJECT = 32;

/** What slapd said when it did not do what it was asked; one line, without values. */
export class DirectoryFault extends Error {}

const fault = (what: string, result: ExecResult): DirectoryFault => new DirectoryFault(`${what}: ${firstLine(result)}`);

/** A value in one of these is a time of slapd's own. */
type Filter =
  | `(objectClass=${'*' | 'monitorConnection' | 'olcMdbConfig' | 'olmMDBDatabase'})`
  | '(pwdAccountLockedTime=*)'
  | `(entryCSN>=${string})`;

/** Entries at and below a name; none where there is no such entry. @throws DirectoryFault */
export async function searchDirectory(
  host: Shell,
  base: string,
  attributes: readonly string[],
  scope: 'base' | 'sub' = 'sub',
  filter: Filter = '(objectClass=*)',
): Promise<Entry[]> {
  return answered(await host.exec('ldapsearch', [...searching(host, base, scope), filter, ...attributes], MUCH));
}

/** The entries of these names, below `base`, in one connection; none for a name that nobody has. @throws DirectoryFault */
export async function searchNames(
  host: Shell,
  base: string,
  names: readonly string[],
  attributes: readonly string[],
): Promise<Entry[]> {
  if (names.length === 0) return [];
  const args = [...searching(host, base, 'sub'), '-f', '-', '(entryDN=%s)', ...attributes];
  const input = names.map((name) => `${filterValue(name)}\n`).join('');
  return answered(await host.exec('ldapsearch', args, { ...MUCH, input }));
}

/** RFC 4515, 3: what would end the value or begin an escape, and what would end a line, by its bytes. */
const filterValue = (value: string): string =>
  value.replace(/[\\*()\p{Cc}]/gu, (one) =>
    [...Buffer.from(one, 'utf8')].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join(''),
  );

const searching = (host: Shell, base: string, scope: string): string[] => [
  ...AS_OURSELVES,
  ...['-LLL', '-o', 'ldif-wrap=no', '-H', socketUrl(host), '-b', base, '-s', scope],
];

async function answered(result: ExecResult): Promise<Entry[]> {
  if (result.code === NO_SUCH_OBJECT) return [];
  if (result.code !== 0) throw fault('The directory could not be read', result);
  return parseEntriesOf(result.stdout);
}

async function modify(host: Shell, changes: readonly Change[]): Promise<ExecResult> {
  // Relaxed, so that an entry gets the entryUUID of its row.
  const args = [...AS_OURSELVES, '-e', 'relax', '-H', socketUrl(host)];
  return host.exec('ldapmodify', args, { ...MUCH, input: writeChanges(changes) });
}

// Not as one transaction (RFC 5805): the slapd of Debian 12 (2.5.13) crashes in some of them. What is cut off is found by the
// entry that tells what is applied, which is written last, and gone on with.

/** In order; what comes after one that is refused is not done. @throws DirectoryFault */
export async function changeDirectory(host: Shell, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const result = await modify(host, changes);
  if (result.code !== 0) throw fault('The directory could not be changed', result);
}

/** Entries of one organisation that are refused before it is left as it is. */
const REFUSED_MOST = 20;

/**
 * In order, going on after an entry that slapd refuses, which is told to `refuse`. When there are any, the last change is not
 * made if it is of `mark`, the entry which tells that all is done.
 * @throws DirectoryFault when slapd can't be reached or does not work, or refuses more than 20
 */
export async function changeEach(
  host: Shell,
  changes: readonly Change[],
  mark: string,
  refuse: (one: Refused) => void,
): Promise<void> {
  let refused = 0;
  const end = changes.at(-1)?.dn === mark ? -1 : undefined;
  for (let from = 0; from < changes.length; ) {
    const rest = changes.slice(from, refused > 0 ? end : undefined);
    if (rest.length === 0) break;
    const result = await modify(host, rest);
    if (result.code === 0) break;
    const refusal = refusalOf(result, rest);
    if (refusal === null || refused === REFUSED_MOST) throw fault('The directory could not be changed', result);
    refuse(refusal.refused);
    refused += 1;
    from += refusal.at + 1;
  }
}
