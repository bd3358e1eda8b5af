// The root certificate: made once from the saved settings, and made again only when the one there is can't sign any more.

import { instant, newId } from '../../ground/clock.ts';
import { pagePath } from '../../ground/page-paths.ts';
import { Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Answer } from '../../kernel/operation/operation.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { readSettings } from '../units/settings-store.ts';
import {
  type AuthorityRow,
  type CertificateRow,
  columnsOf,
  insertRow,
  newestRoot,
  retireSigning,
  validityOf,
} from './certificate-store.ts';
import { DAY_EARLIER, type ValidityState, validityFrom, validityState } from './lifetime.ts';
import type { KeyAlgorithm, Made } from './make.ts';
import { openKey, sealKey } from './sealed-key.ts';
import { certificateAuthoritySettings } from './settings.ts';

export const AUTHORITY_PAGE = pagePath('certificate-authority');

export interface RootCertificate {
  id: string;
  subject: string;
  pem: string;
  /** `AA:BB:…` */
  sha256: string;
  serial_number: string;
  key_algorithm: KeyAlgorithm;
  not_before: string;
  not_after: string;
  standing: AuthorityRow['standing'];
  /** Authorities below it; null: any number. */
  path_length: number | null;
  /** What signed it, up to its root; empty for a root. */
  chain_pem: string;
  origin: AuthorityRow['origin'];
  created_by: string;
  created_at: string;
}

export type AuthorityShell = Pick<Services, 'keyring' | 'clock' | 'entropy'>;

/** What can become of a root: `unusable` when its private key can't be opened. */
export type RootState = ValidityState | 'unusable';

/** A clock before this is one that nobody has set. */
const CLOCK_SET = new Date('2025-01-01T00:00:00Z');

/** The root that signs now, or the last one that did; null when none was made yet. */
export async function rootCertificate(db: Database): Promise<RootCertificate | null> {
  const row = await newestRoot(db);
  return row ? viewOf(row) : null;
}

export const noRoot = (): Problem =>
  new Problem('resource_not_found', 'There is no root certificate yet: make it once custody is on.');

/** As a file of one certificate, for machines that are to trust it. @throws Problem 404 */
export async function rootFile(db: Database): Promise<Answer> {
  const root = await rootCertificate(db);
  if (!root) throw noRoot();
  return {
    text: root.pem + root.chain_pem,
    headers: {
      'content-type': 'application/x-pem-file',
      'content-disposition': 'attachment; filename="groundcrew-root-ca.pem"',
    },
  };
}

export const viewOf = (row: AuthorityRow): RootCertificate => ({
  id: row.id,
  subject: row.subject,
  pem: row.certificate_pem,
  sha256: row.sha256,
  serial_number: row.serial_number,
  key_algorithm: row.key_algorithm,
  not_before: row.not_before,
  not_after: row.not_after,
  standing: row.standing,
  path_length: row.path_length,
  chain_pem: row.chain_pem,
  origin: row.origin,
  created_by: row.created_by,
  created_at: row.created_at,
});

/** What it is now, as far as its dates and its key tell; null when none was made yet. @throws Problem 409 `vault_keys_unusable` */
export async function rootAndState(
  db: Database,
  shell: Pick<AuthorityShell, 'keyring' | 'clock'>,
): Promise<(RootCertificate & { state: RootState }) | null> {
  const row = await newestRoot(db);
  return row ? { ...viewOf(row), state: (await rootState(shell, row, shell.clock.now())).state } : null;
}

/** Whether it can sign, with its key when it can. @throws Problem 409 `vault_keys_unusable` */
export async function rootState(
  { keyring }: Pick<AuthorityShell, 'keyring'>,
  row: CertificateRow,
  now: Date,
): Promise<{ state: Exclude<RootState, 'valid'> } | { state: 'valid'; key_pem: string }> {
  const state = validityState(validityOf(row), now);
  if (state !== 'valid') return { state };
  const key_pem = await openKey({ keyring }, 'certificate_authority', row);
  return key_pem === null ? { state: 'unusable' } : { state, key_pem };
}

export const readAuthority = async (db: Database) => (await readSettings(db, certificateAuthoritySettings)).saved;

export interface PreparedRoot {
  made: Made;
  path_length: number;
  /** Revision of the settings that it was made from. */
  revision: number;
}

/**
 * The slow part, before the transaction: a key pair of RSA takes seconds. `switchingOn`: custody is switched on with it.
 * @throws Problem 409 as createRoot
 */
export async function prepareRoot(db: Database, shell: AuthorityShell, switchingOn = false): Promise<PreparedRoot> {
  await refuseUnready(db, shell, switchingOn);
  await refuseSecond(db, shell, shell.clock.now());
  return prepareKey(db, shell);
}

/** Custody is on, and the clock was set. @throws Problem 409 */
export async function refuseUnready(
  db: Database,
  { clock }: Pick<AuthorityShell, 'clock'>,
  switchingOn = false,
): Promise<void> {
  const now = clock.now();
  if (!(await readAuthority(db)).enabled && !switchingOn) {
    throw new Problem(
      'state_conflict',
      'Custody is off: switch on “Keep a certificate authority and issue certificates”, save, then make the root certificate.',
    );
  }
  if (now < CLOCK_SET) {
    throw new Problem(
      'state_conflict',
      `The clock of the appliance says ${instant(now)}: set it first. A certificate made now would be of no use once it is right.`,
    );
  }
}

/** A root as the settings say, whatever there is. */
export async function prepareKey(db: Database, { clock, entropy }: AuthorityShell): Promise<PreparedRoot> {
  const { common_name, organization, key_algorithm, path_length, root_validity_days, revision } =
    await readAuthority(db);
  const validity = validityFrom(clock.now(), root_validity_days, null, DAY_EARLIER);
  const { makeRoot } = await import('./make.ts');
  const wanted = { common_name, organization, key_algorithm, path_length, ...validity };
  return { made: await makeRoot(wanted, entropy), path_length, revision };
}

/**
 * Makes the root of the saved settings; its key is sealed before it is stored. `prepared`: from prepareRoot; without it
 * the key is made while nobody else can write. The caller writes the audit event.
 * @throws Problem 409: there is one that can sign, custody is off, the clock was never set, the settings changed
 * meanwhile, or the keys file can't be used
 */
export async function createRoot(
  tx: Transaction,
  shell: AuthorityShell,
  by: string,
  prepared?: PreparedRoot,
): Promise<RootCertificate> {
  const now = shell.clock.now();
  const { made, path_length, revision } = prepared ?? (await prepareRoot(tx, shell));
  const { revision: saved } = await readAuthority(tx);
  if (saved !== revision) {
    throw new Problem('state_conflict', 'The settings were changed meanwhile: look at them, then make it again.');
  }
  await refuseSecond(tx, shell, now);
  const id = newId('ca', shell.entropy);
  const sealed = await sealKey(shell, 'certificate_authority', id, made.key_pem);
  await retireSigning(tx);
  const row = newAuthority({ id, ...columnsOf(made, sealed, by, instant(now)) }, { path_length });
  await insertRow(tx, 'certificate_authority', row);
  return viewOf(row);
}

/** A row of the table: it signs, unless it says otherwise. */
export const newAuthority = (row: CertificateRow, own: Partial<AuthorityRow>): AuthorityRow => ({
  ...row,
  standing: 'signing',
  path_length: 0,
  chain_pem: '',
  origin: 'made',
  crl_number: 0,
  crl_der: '',
  crl_at: null,
  ...own,
});

/** @throws Problem 409 where there is one that can sign */
export async function refuseSecond(db: Database, shell: AuthorityShell, now: Date): Promise<void> {
  const row = await newestRoot(db);
  if (!row || (await rootState(shell, row, now)).state !== 'valid') return;
  throw new Problem(
    'already_exists',
    `There is a root certificate already: ${row.subject}, valid until ${row.not_after}. Everything that trusts it would have to be told of another one.`,
  );
}
