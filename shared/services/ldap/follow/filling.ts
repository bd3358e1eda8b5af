// Fills an empty tree: slapd would write each entry through to the disk by itself, which takes most of the time. It does so
// again before the last entry, the one that tells what is applied, and with it all that came before is on the disk
// (fdatasync(2) is of the whole file). What loses its power in between has no such entry, and slapd's start begins it anew.
import type { Host } from '../../../ground/machine/host.ts';
import type { Change } from './ldif.ts';
import type { Refused } from './refusal.ts';
import { changeDirectory, changeEach, searchDirectory } from './socket.ts';

type Shell = Pick<Host, 'exec' | 'resolve'>;

/** With fewer changes than these it is not worth a change of the configuration. */
const LEAST = 100;

/** As `changeEach`. `empty`: nothing is in the tree yet. */
export async function fill(
  host: Shell,
  suffix: string,
  changes: readonly Change[],
  { mark, empty, refuse }: { mark: string; empty: boolean; refuse(one: Refused): void },
): Promise<void> {
  const database = empty && changes.length > LEAST ? await databaseOf(host, suffix) : undefined;
  if (database === undefined) return changeEach(host, changes, mark, refuse);
  let refused = 0;
  const telling = (one: Refused) => {
    refused += 1;
    refuse(one);
  };
  await changeDirectory(host, [{ dn: database, replace: { olcDbNoSync: ['TRUE'] } }]);
  try {
    await changeEach(host, changes.slice(0, -1), mark, telling);
  } finally {
    await changeDirectory(host, [{ dn: database, replace: { olcDbNoSync: ['FALSE'] } }]);
  }
  if (refused === 0) await changeEach(host, changes.slice(-1), mark, refuse);
}

/** Undefined where what runs does not serve it yet. */
async function databaseOf(host: Shell, suffix: string): Promise<string | undefined> {
  const all = await searchDirectory(host, 'cn=config', ['olcSuffix'], 'sub', '(objectClass=olcMdbConfig)');
  return all.find(({ attributes }) => attributes.olcSuffix?.[0]?.toLowerCase() === suffix.toLowerCase())?.dn;
}
