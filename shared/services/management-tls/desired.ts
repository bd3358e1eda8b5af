// Reads the desired state of the unit: one statement while the service keeps its own certificate, and a few more otherwise.
import { X509Certificate } from 'node:crypto';
import type { Database } from '../../ground/store/database.ts';
import { observed } from '../../ground/x509/certificate.ts';
import { type DaemonCertificate, daemonCertificate } from '../../platform/certificate-authority/daemon-certificate.ts';
import { loadInterfaces } from '../../platform/interfaces/interface.ts';
import { effectiveManagementListeners } from '../../platform/interfaces/management-listener.ts';
import { savedDocument } from '../../platform/units/documents.ts';
import { settingsOf } from '../../platform/units/settings-store.ts';
import type { Surroundings } from '../../platform/units/unit.ts';
import { managementTlsSettings, type Source } from './settings.ts';
import { placeOfKey, uploadedRow } from './uploaded.ts';

export type ManagementTlsSettings = (typeof managementTlsSettings)['defaults'];

/** What people compare of a certificate. */
export type Described = {
  subject: string;
  issuer: string;
  names: string[];
  /** `AA:BB:…` */
  sha256: string;
  not_after: string;
};

export interface ManagementTlsDesired {
  source: Source;
  /** Whether the management UI speaks TLS at all, and at which port; 0: not known. */
  tls: boolean;
  port: number;
  /** Where it may be asked. */
  addresses: string[];
  /** Null: the service's own; or it waits for one. */
  certificate: DaemonCertificate | null;
  described: Described | null;
  /** The service's own; null where it is not known. */
  own: Described | null;
}

/** The purpose of an issued one: the unit's id, so that another one comes to the host by a plan. */
export const PURPOSE = 'management-tls';

export const NO_CERTIFICATE: ManagementTlsDesired = {
  source: 'self_signed',
  tls: false,
  port: 0,
  addresses: [],
  certificate: null,
  described: null,
  own: null,
};

/** Null for what is no certificate. */
export function describedOf(pem: string | null | undefined): Described | null {
  if (!pem) return null;
  try {
    const certificate = new X509Certificate(pem);
    const { subject, issuer, names, sha256 } = observed(certificate, { host: '', protocol: '', now: new Date(0) });
    return { subject, issuer, names, sha256, not_after: certificate.validToDate.toISOString() };
  } catch {
    return null;
  }
}

const saved = async (db: Database): Promise<ManagementTlsSettings> =>
  settingsOf(managementTlsSettings, (await savedDocument(db, managementTlsSettings.key))?.document);

const listenersIn = async (db: Database): Promise<string[]> => [
  ...new Set(effectiveManagementListeners(await loadInterfaces(db)).map(({ address }) => address)),
];

/** Expects a consistent view, that is a snapshot or a transaction. */
export async function load(db: Database, surroundings: Surroundings): Promise<ManagementTlsDesired> {
  const { source, names } = await saved(db);
  const { management_port: port, management_tls: tls, management_certificate } = surroundings;
  const own = describedOf(management_certificate);
  if (source === 'self_signed') return { ...NO_CERTIFICATE, tls, port, own };
  const addresses = await listenersIn(db);
  const certificate =
    source === 'issued'
      ? await daemonCertificate(db, { purpose: PURPOSE, names: [...names, ...addresses] })
      : await uploadedCertificate(db);
  return { source, tls, port, addresses, certificate, described: describedOf(certificate?.chain_pem), own };
}

async function uploadedCertificate(db: Database): Promise<DaemonCertificate | null> {
  const row = await uploadedRow(db);
  if (!row || row.sealed_value === '') return null;
  const { id, chain_pem, sha256, not_after, kek_id, sealed_key, sealed_value } = row;
  return { chain_pem, sha256, not_after, sealed: { place: placeOfKey(id), kek_id, sealed_key, sealed_value } };
}

/** Null while it is none of ours. */
export async function wantedCertificate(db: Database): Promise<{ purpose: string; names: string[] } | null> {
  const { source, names } = await saved(db);
  if (source !== 'issued' || names.length === 0) return null;
  return { purpose: PURPOSE, names: [...new Set([...names, ...(await listenersIn(db))])] };
}

/** Names and addresses by which the management UI is reached: what an uploaded certificate is compared with. */
export async function reachedBy(
  db: Database,
  management_names: readonly string[],
): Promise<{ names: string[]; others: string[] }> {
  const { names } = await saved(db);
  const own = management_names.filter((name) => name !== 'localhost');
  return { names, others: [...own, ...(await listenersIn(db))] };
}
