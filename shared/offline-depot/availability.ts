// Whether other appliances can take their software from the depot of this one, and what is missing if not.
import { isIPv6 } from 'node:net';
import { pretendToVerify, verifyPassword } from '../access/password.ts';
import { AUTHORITY_PAGE, rootCertificate } from '../certificates/authority.ts';
import { currentIssued } from '../certificates/certificate-store.ts';
import type { Services } from '../operation/services.ts';
import { privateCloudServicesSettings } from '../units/private-cloud-services/settings.ts';
import { settingsOf } from '../units/settings-store.ts';
import { depotIdentity } from './identity.ts';
import { type DepotManifest, readManifest } from './manifest.ts';
import { passwordHashOf } from './users.ts';

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

const SETTINGS_PAGE = '/ui/management/offline-depot/settings';
const IDENTITY_PAGE = '/ui/management/offline-depot/software-depot-id';
const APPLY_PAGE = '/ui/management/appliance-apply';
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

/** A handful of statements and a small file. */
export async function depotAvailability(services: Known): Promise<Availability> {
  const { store, host, clock } = services;
  const [saved, state, identity, root, issued, applied] = await Promise.all([
    store.one<{ document: string }>("SELECT document FROM unit_settings WHERE unit = 'private-cloud-services'"),
    store.one<{ current: number }>(
      "SELECT desired_version = applied_version AS current FROM unit_state WHERE unit = 'private-cloud-services'",
    ),
    depotIdentity(store),
    rootCertificate(store),
    currentIssued(store, CERTIFICATE_PURPOSE),
    readManifest(host).catch(() => null),
  ]);
  const settings = settingsOf(privateCloudServicesSettings, saved?.document);
  const place = placeOf(applied?.manifest ?? null, services.settings.depot_listen);
  const now = clock.now().toISOString();
  const backed =
    root !== null && issued?.authority_id === root.id && issued.not_before <= now && now < issued.not_after;
  const missing: MissingCondition[] = [];
  const needs = (code: ConditionCode, holds: boolean, text: string, page: string = SETTINGS_PAGE) => {
    if (!holds) missing.push({ code, text, page });
  };
  needs('enabled', settings.enabled, 'The offline depot is off: switch it on and save the settings.');
  needs(
    'applied',
    place !== null && state?.current === 1,
    place === null
      ? 'The settings of the offline depot were never applied: review a plan and apply it.'
      : 'The saved settings of the offline depot are not those in force: review a plan and apply it.',
    APPLY_PAGE,
  );
  needs(
    'certificate',
    backed,
    root === null
      ? 'There is no root certificate that the certificate of the depot could be issued by: create it.'
      : 'The depot has no certificate of our own authority yet. It gets one when its listener starts.',
    AUTHORITY_PAGE,
  );
  needs('software_depot_id', identity !== null, 'The depot has no software depot ID: generate it.', IDENTITY_PAGE);
  const user = settings.http_user;
  needs('http_user', user !== '', 'No depot user is chosen: add one, choose it in the settings, save and apply.');
  if (missing.length > 0 || !place || !root || !identity) return { missing, endpoint: null };
  const { software_depot_id } = identity;
  return {
    missing,
    endpoint: { ...place, username: user, software_depot_id, ca_pem: root.pem, ca_sha256: root.sha256 },
  };
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
