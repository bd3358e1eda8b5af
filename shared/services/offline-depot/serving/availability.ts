// Whether other appliances can take their software from the depot of this one, and what is missing if not.

import { isIPv6 } from 'node:net';
import { pagePath } from '../../../ground/page-paths.ts';
import { pretendToVerify, verifyPassword } from '../../../kernel/access/password.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { AUTHORITY_PAGE } from '../../../platform/certificate-authority/authority.ts';
import { settingsOf } from '../../../platform/units/settings-store.ts';
import type { DepotIdentity } from '../identity.ts';
import { type DepotManifest, readManifest } from '../manifest.ts';
import { privateCloudServicesSettings } from '../settings.ts';
import { passwordHashOf } from '../users.ts';

/** Purpose of the certificate that the listeners serve with. */
export const CERTIFICATE_PURPOSE = 'private-cloud-services';

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

/** Where the listeners answer and what clients call it: of what is in force. Null while nothing is. */
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

interface Row {
  document: string | null;
  current: number | null;
  software_depot_id: string | null;
  generated_at: string | null;
  root_id: string | null;
  ca_pem: string;
  ca_sha256: string;
  authority_id: string | null;
  sha256: string;
  not_before: string;
  not_after: string;
}

const STANDING = `SELECT
    (SELECT document FROM unit_settings WHERE unit = 'private-cloud-services') AS document,
    (SELECT desired_version = applied_version FROM unit_state WHERE unit = 'private-cloud-services') AS current,
    identity.software_depot_id, identity.generated_at,
    root.id AS root_id, root.certificate_pem AS ca_pem, root.sha256 AS ca_sha256,
    issued.authority_id, issued.sha256, issued.not_before, issued.not_after
  FROM (SELECT 1) LEFT JOIN depot_identity identity ON identity.id = 1
    LEFT JOIN (SELECT * FROM certificate_authority ORDER BY rowid DESC LIMIT 1) root ON true
    LEFT JOIN (SELECT * FROM issued_certificate WHERE purpose = ? AND replaced_at IS NULL
      ORDER BY rowid DESC LIMIT 1) issued ON true`;

/** All that the page of the depot says of it, besides who may read it and what lies in it. */
export interface DepotStanding {
  availability: Availability;
  /** What the listeners follow; null while nothing is applied. */
  manifest: DepotManifest | null;
  identity: DepotIdentity | null;
  certificate: { sha256: string; not_after: string } | null;
}

export const depotAvailability = async (services: Known): Promise<Availability> =>
  (await depotStanding(services)).availability;

/** One statement and a small file. */
export async function depotStanding({ store, host, clock, settings: { depot_listen } }: Known): Promise<DepotStanding> {
  const row = (await store.one<Row>(STANDING, [CERTIFICATE_PURPOSE]))!;
  // A damaged one lets nobody in, as if there were none.
  const manifest = (await readManifest(host).catch(() => null))?.manifest ?? null;
  const { software_depot_id, generated_at, sha256, not_after } = row;
  return {
    availability: availabilityOf(row, placeOf(manifest, depot_listen), clock.now().toISOString()),
    manifest,
    identity: software_depot_id === null ? null : { software_depot_id, generated_at: generated_at! },
    certificate: row.authority_id === null ? null : { sha256, not_after },
  };
}

function availabilityOf(row: Row, place: ReturnType<typeof placeOf>, now: string): Availability {
  const { enabled, http_user } = settingsOf(privateCloudServicesSettings, row.document);
  const { software_depot_id, root_id, authority_id, ca_pem, ca_sha256 } = row;
  const backed = root_id !== null && authority_id === root_id && row.not_before <= now && now < row.not_after;
  const missing: MissingCondition[] = [];
  const needs = (code: ConditionCode, holds: boolean, text: string, page: string = SETTINGS_PAGE) => {
    if (!holds) missing.push({ code, text, page });
  };
  needs('enabled', enabled, 'The offline depot is off: switch it on and save the settings.');
  needs(
    'applied',
    place !== null && row.current === 1,
    place === null
      ? 'The settings of the offline depot were never applied: review a plan and apply it.'
      : 'The saved settings of the offline depot are not those in force: review a plan and apply it.',
    APPLY_PAGE,
  );
  needs(
    'certificate',
    backed,
    root_id === null
      ? 'There is no root certificate that the certificate of the depot could be issued by: create it.'
      : 'The depot has no certificate of our own authority yet. It gets one when its listener starts.',
    AUTHORITY_PAGE,
  );
  needs(
    'software_depot_id',
    software_depot_id !== null,
    'The depot has no software depot ID: generate it.',
    IDENTITY_PAGE,
  );
  needs('http_user', http_user !== '', 'No depot user is chosen: add one, choose it in the settings, save and apply.');
  if (missing.length > 0 || !place || software_depot_id === null) return { missing, endpoint: null };
  return { missing, endpoint: { ...place, username: http_user, software_depot_id, ca_pem, ca_sha256 } };
}

/** Held against the stored hash; takes as long for a user that does not exist. @throws Problem 429 under a flood */
export async function verifyDepotPassword(
  { store }: Pick<Services, 'store'>,
  username: string,
  password: string,
): Promise<boolean> {
  const hash = await passwordHashOf(store, username);
  return hash === null ? pretendToVerify(password) : verifyPassword(password, hash);
}
