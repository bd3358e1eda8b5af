// A second root beside the one that signs. Machines are made to trust it beforehand; then it takes over, and the former one
// goes on saying what of it is revoked until it ends.
import { instant, newId } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import {
  type AuthorityShell,
  newAuthority,
  type PreparedRoot,
  type RootCertificate,
  refuseSecond,
  refuseUnready,
  rootState,
  viewOf,
} from './authority.ts';
import { type AuthorityRow, columnsOf, insertRow, newestRoot, retireSigning } from './certificate-store.ts';
import type { ImportedRoot } from './import-root.ts';
import { UNUSABLE } from './issue.ts';
import type { Made } from './make.ts';
import { sealKey } from './sealed-key.ts';

export const nextRow = (db: Database): Promise<AuthorityRow | undefined> =>
  db.one<AuthorityRow>("SELECT * FROM certificate_authority WHERE standing = 'next'");

const noNext = (): Problem => notFound('A next root certificate');

/** @throws Problem 404 */
export async function nextRoot(db: Database): Promise<RootCertificate> {
  const row = await nextRow(db);
  if (!row) throw noNext();
  return viewOf(row);
}

/** @throws Problem 409 where there is none to follow, or one follows already */
export async function refuseNext(db: Database): Promise<void> {
  if (!(await newestRoot(db))) {
    throw new Problem(
      'state_conflict',
      'There is no root certificate yet that another one could follow: make the first.',
    );
  }
  const row = await nextRow(db);
  if (row) throw new Problem('already_exists', `The next root certificate is there already: ${row.subject}.`);
}

/** @throws Problem 409 */
export async function keepNext(
  tx: Transaction,
  shell: AuthorityShell,
  by: string,
  { made, path_length }: PreparedRoot,
): Promise<RootCertificate> {
  await refuseNext(tx);
  return keep(tx, shell, by, made, { path_length, standing: 'next' });
}

/** `standing` is where it is to stand. @throws Problem 409 where that place is taken, or custody is off */
export async function keepImported(
  tx: Transaction,
  shell: AuthorityShell,
  by: string,
  { made, path_length, chain_pem }: ImportedRoot,
  standing: 'signing' | 'next',
): Promise<RootCertificate> {
  await refuseUnready(tx, shell);
  const same = await tx.one('SELECT 1 FROM certificate_authority WHERE serial_number = ?', [made.serial_number]);
  if (same)
    throw new Problem('already_exists', 'This certificate, or another one of its serial number, is here already.');
  if (standing === 'next') await refuseNext(tx);
  else {
    await refuseSecond(tx, shell, shell.clock.now());
    await retireSigning(tx);
  }
  return keep(tx, shell, by, made, { path_length, chain_pem, standing, origin: 'imported' });
}

async function keep(
  tx: Transaction,
  shell: AuthorityShell,
  by: string,
  made: Made,
  own: Partial<AuthorityRow>,
): Promise<RootCertificate> {
  const id = newId('ca', shell.entropy);
  const sealed = await sealKey(shell, 'certificate_authority', id, made.key_pem);
  const row = newAuthority({ id, ...columnsOf(made, sealed, by, instant(shell.clock.now())) }, own);
  await insertRow(tx, 'certificate_authority', row);
  return viewOf(row);
}

/** @throws Problem 404; 409 where it can't sign */
export async function takeOver(tx: Transaction, shell: AuthorityShell): Promise<RootCertificate> {
  const row = await nextRow(tx);
  if (!row) throw noNext();
  const { state } = await rootState(shell, row, shell.clock.now());
  if (state !== 'valid') throw new Problem('state_conflict', UNUSABLE[state](row));
  await tx.run("UPDATE certificate_authority SET standing = 'former' WHERE standing = 'signing'");
  await tx.run("UPDATE certificate_authority SET standing = 'signing' WHERE id = ?", [row.id]);
  return viewOf({ ...row, standing: 'signing' });
}

/** It signed nothing yet, so nothing is lost with it. @throws Problem 404 */
export async function discardNext(tx: Transaction): Promise<RootCertificate> {
  const row = await nextRow(tx);
  if (!row) throw noNext();
  await tx.run("DELETE FROM certificate_authority WHERE standing = 'next'");
  return viewOf(row);
}
