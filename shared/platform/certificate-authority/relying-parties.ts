// Which machines rely on a certificate of the appliance, as far as it knows: those that its own helpers told to trust it or its
// root, or to fetch what is served with it. What others set up elsewhere is not known here.
import * as v from 'valibot';
import { notFound } from '../../ground/problems.ts';
import { component, described } from '../../ground/schemas/component.ts';
import type { Database } from '../../ground/store/database.ts';
import { newestSuccesses, type Success } from '../../kernel/audit/list.ts';
import { signedBy, signerOf } from './certificate-store.ts';

/** `address`: it was given the address alone, and whether it trusts the root is not known. */
export const HOLDS = ['this_certificate', 'root', 'address'] as const;
export type Holds = (typeof HOLDS)[number];

export interface RelyingParty {
  server: string;
  holds: Holds;
  /** RFC 3339: when it was told. */
  at: string;
}

/** Events that are looked through, the newest first: each machine has a few. */
const EVENTS_MOST = 2000;
const TRUST = 'remote.certificate.trust';
const DEPOT = 'remote.depot.configure';
/** A vCenter that was told to trust the certificate of the KMIP server itself. */
const KEY_PROVIDER = 'remote.key-provider.register';

export const relyingPartiesSchema = component(
  'RelyingParties',
  v.object({
    renewed_with: described(
      v.picklist(['new_key', 'same_key']),
      'What reissuing makes: one of the appliance’s own gets a new key; one for a request is for the same key.',
    ),
    items: described(
      v.array(
        v.object({
          server: described(v.string(), 'Name or address of the machine, with its port where that is not 443.'),
          holds: described(
            v.picklist(HOLDS),
            '`this_certificate`: it refuses the replacement until it is configured again; `root`: it goes on under the same root; `address`: it goes on where it trusts the root, which is not known.',
          ),
          at: described(v.string(), 'When it was told: RFC 3339 in UTC.'),
        }),
      ),
      'Machines that this appliance configured, by name. Others may rely on it as well.',
    ),
  }),
);

const told = (db: Database): Promise<Success[]> => newestSuccesses(db, [TRUST, DEPOT, KEY_PROVIDER], EVENTS_MOST);

export interface Reliance {
  renewed_with: 'new_key' | 'same_key';
  items: RelyingParty[];
}

/** Two statements. @throws Problem 404 */
export async function relyingParties(db: Database, certificate_id: string): Promise<Reliance> {
  const certificate = await signedBy(db, certificate_id);
  if (!certificate) throw notFound('This certificate');
  const { purpose, sha256, root_sha256 } = certificate;
  const holding = (event: Success): Holds | null => {
    if (event.action === DEPOT) return purpose === 'private-cloud-services' ? 'address' : null;
    if (event.detail.sha256 === sha256) return 'this_certificate';
    return purpose !== '' && event.detail.sha256 === root_sha256 ? 'root' : null;
  };
  const renewed_with = purpose === '' ? 'same_key' : 'new_key';
  return { renewed_with, items: strongest(await told(db), holding) };
}

/** Machines that were told to trust one root and not the other: what a change of roots breaks. One statement. */
export async function trustOnly(db: Database, root: string, other: string | null): Promise<RelyingParty[]> {
  const events = await told(db);
  const trusts = (sha256: string | null) =>
    strongest(events, ({ action, detail }) => (action === TRUST && detail.sha256 === sha256 ? 'root' : null));
  const safe = new Set(trusts(other).map(({ server }) => server));
  return trusts(root).filter(({ server }) => !safe.has(server));
}

/**
 * Names of machines that were told to trust a certificate, or the root that signed it, and neither the one that takes its place
 * nor its root. Three statements.
 */
export async function haveToTrustAgain(db: Database, before: string, after: string): Promise<string[]> {
  const [was, becomes] = [await rootOf(db, before), await rootOf(db, after)];
  const events = await told(db);
  const trusting = (...of: (string | null)[]) =>
    strongest(events, ({ action, detail }) =>
      action !== DEPOT && of.some((sha256) => sha256 !== null && detail.sha256 === sha256) ? 'root' : null,
    ).map(({ server }) => server);
  const safe = new Set(trusting(after, becomes));
  return trusting(before, was).filter((server) => !safe.has(server));
}

const rootOf = async (db: Database, sha256: string): Promise<string | null> =>
  (await signerOf(db, sha256))?.root_sha256 ?? null;

/** Each machine once, by name: with what it was told that binds it most, and when it was told so last. */
function strongest(events: readonly Success[], holding: (event: Success) => Holds | null): RelyingParty[] {
  const found = new Map<string, RelyingParty>();
  for (const event of events) {
    const holds = holding(event);
    const { server } = event.detail;
    if (holds === null || typeof server !== 'string') continue;
    const known = found.get(server);
    if (!known || HOLDS.indexOf(holds) < HOLDS.indexOf(known.holds)) found.set(server, { server, holds, at: event.at });
  }
  return [...found.values()].sort((one, other) => (one.server < other.server ? -1 : 1));
}
