// slapd over its socket, as the user of this process: the socket's folder is open to the service alone.

import { firstLine } from '../../../ground/machine/exec.ts';
import type { ExecResult, Host } from '../../../ground/machine/host.ts';
import { socketUrl } from '../files.ts';
import { type Change, type Entry, parseEntriesOf, writeChanges } from './ldif.ts';
import { type Refused, refusalOf } from './refusal.ts';

type Shell = Pick<Host, 'exec' | 'resolve'>;

const AS_OURSELVES = ['-Y', 'EXTERNAL', '-Q', '-o', 'nettimeout=5'];
/** Milliseconds: of ten thousand entries that are all new. */
const PATIENCE = 300_000;
const ANSWER_MOST = 256 << 20;
/** RFC 4511, 4.1.9. */
const NO_SUCH_OBJECT = 32;

/** What slapd said when it did not do what it was asked; one line, without values. */
export class DirectoryFault extends Error {}

const fault = (what: string, result: ExecResult): DirectoryFault => new DirectoryFault(`${what}: ${firstLine(result)}`);

/** Entries at and below a name; none where there is no such entry. @throws DirectoryFault */
export async function searchDirectory(
  host: Shell,
  base: string,
  attributes: readonly string[],
  scope: 'base' | 'sub' = 'sub',
  filter: '(objectClass=*)' | '(pwdAccountLockedTime=*)' | '(objectClass=monitorConnection)' = '(objectClass=*)',
): Promise<Entry[]> {
  const args = [...AS_OURSELVES, '-LLL', '-o', 'ldif-wrap=no', '-H', socketUrl(host), '-b', base, '-s', scope];
  const result = await host.exec('ldapsearch', [...args, filter, ...attributes], {
    timeout: PATIENCE,
    output: ANSWER_MOST,
  });
  if (result.code === NO_SUCH_OBJECT) return [];
  if (result.code !== 0) throw fault('The directory could not be read', result);
  return parseEntriesOf(result.stdout);
}

async function modify(host: Shell, changes: readonly Change[]): Promise<ExecResult> {
  // Relaxed, so that an entry gets the entryUUID of its row.
  const args = [...AS_OURSELVES, '-e', 'relax', '-H', socketUrl(host)];
  return host.exec('ldapmodify', args, { input: writeChanges(changes), timeout: PATIENCE, output: ANSWER_MOST });
}

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
