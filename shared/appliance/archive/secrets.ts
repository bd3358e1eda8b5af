// Secrets of sealed rows: opened while an archive is written, and sealed again by the appliance that restores it. An
// archive has no key of the appliance.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { Problem } from '../../ground/problems.ts';
import { openEntry, type SealedPlace, sealEntry } from '../../ground/sealing/envelope.ts';
import { factorPlace } from '../../kernel/access/second-factor/factor-store.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { materialPlace } from '../../services/kms/keys/material.ts';
import { faultWords, textFaults, usesOf } from '../../services/network-boot/kickstart-text.ts';
import { canonicalText, textRevision } from '../../services/network-boot/revision.ts';
import {
  openKickstart,
  openVariables,
  sealKickstart,
  sealVariables,
} from '../../services/network-boot/sealed-state.ts';
import { keyPlace, publicPartOf } from '../../services/oidc/keys/signing-keys.ts';
import { tokenPlace } from '../../services/oidc/scim/token.ts';
import { secretPlace } from '../../vcf/alerts/secret-place.ts';
import type { ArchiveRow, Json } from './rows.ts';
import { targetPlace } from './schedule/target-secret.ts';

export type SecretShell = Pick<Services, 'keyring' | 'keys' | 'entropy'>;

interface Secret {
  /** Null: the row has none. */
  open(shell: SecretShell, row: ArchiveRow): Promise<Json>;
  /** The sealed columns. Only inside a write transaction. */
  seal(shell: SecretShell, row: ArchiveRow, secret: Json): Promise<Record<string, string | null>>;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Values under the keyring; `nothing` is what stands in the columns of a row without one. */
const enveloped = (placeOf: (row: ArchiveRow) => SealedPlace, nothing: string | null): Secret => ({
  async open({ keyring }, row) {
    const kek_id = text(row.kek_id);
    if (kek_id === '') return null;
    const key = await keyring.find(kek_id);
    if (!key) throw new Error('its key is gone');
    const sealed = { kek_id, sealed_key: text(row.sealed_key), sealed_value: text(row.sealed_value) };
    return openEntry({ id: kek_id, key }, placeOf(row), sealed);
  },
  async seal({ keyring, entropy }, row, secret) {
    if (secret === null) return { kek_id: nothing, sealed_key: nothing, sealed_value: nothing };
    return { ...sealEntry(await keyring.current(), placeOf(row), text(secret), entropy) };
  },
});

const VARIABLES = v.record(v.string(), v.string());

const misfit = ({ id, name, hostname, subject }: ArchiveRow, why: string): Problem =>
  new Problem(
    'state_conflict',
    `${name ?? hostname ?? subject ?? id} does not fit to its secret: ${why}. Nothing was saved.`,
  );

/** `column`: where the certificate of the key is; it comes first there. */
function privateKeys(table: string, column = 'certificate_pem'): Secret {
  const secret = enveloped(({ id }) => ({ table, row: id, field: 'private_key' }), '');
  return {
    ...secret,
    async seal(shell, row, key) {
      if (key !== null && !isKeyOf(text(row[column]), text(key))) throw misfit(row, 'its key is another one');
      return secret.seal(shell, row, key);
    },
  };
}

/** A signing key of the OpenID Connect provider: its public part stands beside it. */
function signingKey(): Secret {
  const secret = enveloped(({ id }) => keyPlace(id), '');
  return {
    ...secret,
    async seal(shell, row, key) {
      if (!isDeepStrictEqual(publicPartOf(text(key)), row.public_jwk)) throw misfit(row, 'its key is another one');
      return secret.seal(shell, row, key);
    },
  };
}

function isKeyOf(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

const SECRETS: Readonly<Record<string, Secret>> = {
  vault_entry: enveloped(({ id, vault_id }) => ({ vault_id: text(vault_id), entry_id: id, field: 'value' }), null),
  alert_receiver_secret: enveloped(({ id }) => secretPlace(id), ''),
  archive_target: enveloped(targetPlace, null),
  scim_target: enveloped(({ id }) => tokenPlace(id), null),
  // One whose material was erased has none.
  kms_key: enveloped(({ id }) => materialPlace(id), ''),
  oidc_signing_key: signingKey(),
  second_factor: enveloped(({ id }) => factorPlace(id), ''),
  certificate_authority: privateKeys('certificate_authority'),
  issued_certificate: privateKeys('issued_certificate'),
  management_certificate: privateKeys('management_certificate', 'chain_pem'),
  network_boot_kickstart: {
    open: async ({ keys }, { id, text_revision, text_sealed }) =>
      openKickstart(keys, id, text(text_revision), text(text_sealed)),
    async seal({ keys, entropy }, row, secret) {
      const plain = canonicalText(text(secret));
      const uses = usesOf(plain);
      const same = Object.entries(uses).every(([column, found]) => isDeepStrictEqual(found, row[column]));
      if (!same || textRevision(plain) !== row.text_revision) throw misfit(row, 'its text is another one');
      const [wrong] = textFaults(plain).filter(({ severity }) => severity === 'error');
      if (wrong) throw misfit(row, faultWords(wrong));
      return { text_sealed: sealKickstart({ keys, entropy }, row.id, plain) };
    },
  },
  network_boot_host: {
    open: async ({ keys }, { id, variables_sealed }) => openVariables(keys, id, text(variables_sealed)),
    async seal({ keys, entropy }, row, secret) {
      const variables = v.safeParse(VARIABLES, secret);
      if (!variables.success) throw misfit(row, 'its variables can’t be read');
      const sealed = sealVariables({ keys, entropy }, row.id, variables.output);
      const { variable_names, variables_sealed, variables_digest } = sealed;
      if (!isDeepStrictEqual(variable_names, row.variable_names)) throw misfit(row, 'its variables are others');
      return { variables_sealed, variables_digest };
    },
  },
};

/**
 * The row with its open secret in the place of the sealed columns.
 * @throws Problem 409 for one that can't be opened: a copy without it would look whole.
 */
export async function openedRow(
  shell: SecretShell,
  table: string,
  label: string,
  row: ArchiveRow,
): Promise<ArchiveRow> {
  const { kek_id, sealed_key, sealed_value, text_sealed, variables_sealed, variables_digest, ...open } = row;
  try {
    return { ...open, id: row.id, secret: await SECRETS[table]!.open(shell, row) };
  } catch (error) {
    if (error instanceof Problem) throw error;
    const detail = `The secret of ${row.id} (${label}) can’t be opened: it is damaged, or the keys file is another one. Delete or enter it again first.`;
    throw new Problem('state_conflict', detail);
  }
}

export const sealedColumns = (
  shell: SecretShell,
  table: string,
  row: ArchiveRow,
): Promise<Record<string, string | null>> => SECRETS[table]!.seal(shell, row, row.secret ?? null);
