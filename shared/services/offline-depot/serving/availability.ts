// Whether other appliances can get their software from this depot, and what is missing if not.

import { isIPv6 } from 'node:net';
import { pagePath } from '../../../ground/page-paths.ts';
import type { Database } from '../../../ground/store/database.ts';
import { pretendToVerify, verifyPassword } from '../../../kernel/access/password.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { unitStates } from '../../../platform/applied/unit-state.ts';
import { AUTHORITY_PAGE } from '../../../platform/certificate-authority/authority.ts';
import {
  type CertificateRow,
  currentIssued,
  type IssuedRow,
  newestRoot,
} from '../../../platform/certificate-authority/certificate-store.ts';
import { inForce, standIn } from '../../../platform/certificate-authority/daemon-certificate.ts';
import { savedDocument } from '../../../platform/units/documents.ts';
import { settingsOf } from '../../../platform/units/settings-store.ts';
import { CERTIFICATE_FILE } from '../files.ts';
import { type DepotIdentity, depotIdentity } from '../identity.ts';
import { CERTIFICATE_PURPOSE, type DepotManifest, readManifest } from '../manifest.ts';
import { privateCloudServicesSettings } from '../settings.ts';
import { passwordHashOf } from '../users.ts';

export const CONDITIONS = ['enabled', 'applied', 'certificate', 'software_depot_id', 'http_user'] as const;
export type ConditionCode = (typeof CONDITIONS)[number];

export interface MissingCondition {
  code: ConditionCode;
  /** What is missing and what to do, in one or two sentences. */
  text: string;
  /** Page where it is done. */
  page: string;
}

export interface DepotEndpoint {
  /** Host name, or its address where it has none. */
  hostname: string;
  /** Where it answers. */
  address: string;
  port: number;
  /** `https://depot.lab.example`, with the port where it is not 443. */
  url: string;
  username: string;
  software_depot_id: string;
  /** The root that a client has to trust. */
  ca_pem: string;
  /** Its SHA-256, `AA:BB:…`. */
  ca_sha256: string;
}

export interface Availability {
  /** Empty exactly when there is an endpoint. */
  missing: MissingCondition[];
  endpoint: DepotEndpoint | null;
}

type Known = Pick<Services, 'store' | 'host' | 'clock' | 'settings'>;

const SETTINGS_PAGE = pagePath('offline-depot-settings');
const IDENTITY_PAGE = pagePath('software-depot-id');
const APPLY_PAGE = pagePath('apply');
const HTTPS_PORT = 443;

/** `https://depot.lab.example:8443`, in the spelling of the URL standard. */
export function depotUrl(host: string, port: number): string {
  const place = isIPv6(host) ? `[${host}]` : host;
  return port === HTTPS_PORT ? `https://${place}` : `https://${place}:${port}`;
}

/** Address and name of the depot in force; null while none is. */
export function placeOf(
  manifest: DepotManifest | null,
  instead: { host: string; port: number } | null | undefined,
): { hostname: string; address: string; port: number; url: string } | null {
  const [first] = manifest?.listeners ?? [];
  if (!manifest || !first) return null;
  const { host: address, port } = instead ?? { host: first.address, port: first.port };
  const hostname = manifest.hostname || address;
  return { hostname, address, port, url: depotUrl(hostname, port) };
}

interface Saved {
  settings: { enabled: boolean; http_user: string };
  /** Whether the saved settings are in force. */
  current: boolean;
  identity: DepotIdentity | null;
  root: CertificateRow | undefined;
  issued: IssuedRow | undefined;
}

async function loadSaved(db: Database): Promise<Saved> {
  const document = await savedDocument(db, privateCloudServicesSettings.key);
  const state = (await unitStates(db)).get(privateCloudServicesSettings.unit);
  return {
    settings: settingsOf(privateCloudServicesSettings, document?.document),
    current: state !== undefined && state.desired_version === state.applied_version,
    identity: await depotIdentity(db),
    root: await newestRoot(db),
    issued: await currentIssued(db, CERTIFICATE_PURPOSE),
  };
}

/** What the page of the depot shows, besides users and files. */
export interface DepotStanding {
  availability: Availability;
  /** The manifest that the listeners follow; null while nothing is applied. */
  manifest: DepotManifest | null;
  identity: DepotIdentity | null;
  certificate: { sha256: string; not_after: string } | null;
}

export const depotAvailability = async (services: Known): Promise<Availability> =>
  (await depotStanding(services)).availability;

/** Five statements and two small files. */
export async function depotStanding({ store, host, clock, settings: { depot_listen } }: Known): Promise<DepotStanding> {
  const saved = await loadSaved(store);
  // A damaged manifest admits nobody, like none.
  const manifest = (await readManifest(host).catch(() => null))?.manifest ?? null;
  const { identity, issued } = saved;
  const shown = (await inForce(host, CERTIFICATE_FILE).catch(() => null)) ?? standIn(issued);
  return {
    availability: availabilityOf(saved, placeOf(manifest, depot_listen), clock.now().toISOString()),
    manifest,
    identity,
    certificate: shown && { sha256: shown.sha256, not_after: shown.not_after },
  };
}

function availabilityOf(saved: Saved, place: ReturnType<typeof placeOf>, now: string): Availability {
  const { identity, root, issued, current } = saved;
  const { enabled, http_user } = saved.settings;
  const backed =
    root !== undefined && issued?.authority_id === root.id && issued.not_before <= now && now < issued.not_after;
  const missing: MissingCondition[] = [];
  const needs = (code: ConditionCode, holds: boolean, text: string, page: string = SETTINGS_PAGE) => {
    if (!holds) missing.push({ code, text, page });
  };
  needs('enabled', enabled, 'The offline depot is off: switch it on and save the settings.');
  needs(
    'applied',
    place !== null && current,
    place === null
      ? 'The settings of the offline depot were never applied: review a plan and apply it.'
      : 'The saved settings of the offline depot are not those in force: review a plan and apply it.',
    APPLY_PAGE,
  );
  needs(
    'certificate',
    backed,
    root === undefined
      ? 'There is no root certificate that the certificate of the depot could be issued by: create it.'
      : 'The depot has no valid certificate of our own authority yet. It gets one with the next plan: review it and apply it.',
    AUTHORITY_PAGE,
  );
  needs('software_depot_id', identity !== null, 'The depot has no software depot ID: generate it.', IDENTITY_PAGE);
  needs('http_user', http_user !== '', 'No depot user is chosen: add one, choose it in the settings, save and apply.');
  if (missing.length > 0 || !place || !identity || !root) return { missing, endpoint: null };
  const { software_depot_id } = identity;
  const { certificate_pem: ca_pem, sha256: ca_sha256 } = root;
  return { missing, endpoint: { ...place, username: http_user, software_depot_id, ca_pem, ca_sha256 } };
}

/**
 * Checks a password against the stored hash, in the same time for an unknown user.
 * @throws Problem 429 under a flood
 */
export async function verifyDepotPassword(
  { store }: Pick<Services, 'store'>,
  username: string,
  password: string,
): Promise<boolean> {
  const hash = await passwordHashOf(store, username);
  return hash === null ? pretendToVerify(password) : verifyPassword(password, hash);
}
