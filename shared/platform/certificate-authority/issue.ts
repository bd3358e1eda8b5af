// Certificates of the appliance's own servers: one for each purpose, made when there is none that does, and made anew in
// good time. Nobody has to ask for it.

import { instant, newId } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Store } from '../../ground/store/store.ts';
import { systemActor } from '../../kernel/access/actor.ts';
import { type AuditContext, type AuditEvent, appendAudit } from '../../kernel/audit/audit.ts';
import { CERTIFIED_BY_PLAN } from '../../kernel/generated/units.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { outdateUnit } from '../applied/unit-state.ts';
import { AUTHORITY_PAGE, readAuthority, rootState } from './authority.ts';
import {
  type AuthorityRow,
  columnsOf,
  currentIssued,
  type IssuedRow,
  insertRow,
  issuedById,
  namesOf,
  newestRoot,
  replaceIssued,
  validityOf,
} from './certificate-store.ts';
import { isDue, validityFrom, validityState } from './lifetime.ts';
import type { Made, ServerWanted, Signer } from './make.ts';
import { canonicalNames, coversAll } from './names.ts';
import { type AppliedHost, portalAddresses } from './portal/addresses.ts';
import { openKey, sealKey } from './sealed-key.ts';

export type IssuingServices = Pick<Services, 'store' | 'keyring' | 'keys' | 'clock' | 'entropy'> & {
  /** Where the portal is in force; without it certificates name no address of one. */
  host?: AppliedHost;
};

export interface ServerCertificateWanted {
  /** What serves with it: `ntp`. */
  purpose: string;
  /** Host names and addresses. */
  names: string[];
  /** Another certificate of the purpose has the same key, as long as it can be opened: peers may have pinned it. */
  keeps_key?: boolean;
  /** The service takes it up by itself, though others of the purpose come by a plan: nothing waits for one. */
  taken_up?: boolean;
}

export interface ServerCertificate {
  /** The certificate and the root that signed it. */
  cert_pem: string;
  /** PKCS #8 as PEM; only for the server itself. */
  key_pem: string;
  sha256: string;
  not_after: string;
  /** Whether it was made by this call. */
  issued: boolean;
}

/** Why another certificate is made. */
export type IssueReason =
  | 'first'
  | 'other_root'
  | 'other_names'
  | 'expired'
  | 'not_yet_valid'
  | 'due'
  | 'key_unusable'
  | 'asked';

export const missing = (what: string): Problem =>
  new Problem('certificate_authority_missing', `${what} See ${AUTHORITY_PAGE}.`);

/**
 * The certificate of a purpose for these names. Makes one when none is for all of them, the current one is in the last
 * third of its life, or another root signed it; the one it takes the place of is marked, and its key forgotten.
 * @throws Problem 409 `certificate_authority_missing` when one has to be made and can't be, `vault_keys_unusable`; 422 at
 * `/names/<n>`
 */
export function ensureServerCertificate(
  services: IssuingServices,
  { purpose, names, keeps_key = false, taken_up = false }: ServerCertificateWanted,
): Promise<ServerCertificate> {
  const wanted = { purpose, names: canonicalNames(names), keeps_key, taken_up };
  return inTurn(services.store, async () => {
    const found = await standing(services.store, services, wanted);
    if (found.good) return found.good;
    const made = await makeOne(services, wanted, found);
    const context = systemContext(services);
    return services.store.write(async (tx) => {
      // Another process may have made one, or another root, meanwhile.
      const { good } = await standing(tx, services, wanted);
      if (good) return good;
      const { certificate, event } = await storeOne(tx, services, context, wanted, { ...made, reason: found.reason });
      await appendAudit(tx, services.keys, context, event, { holdsLock: true });
      return certificate;
    });
  });
}

/** A certificate that takes the place of another before it has to; store it with `storeRenewal`. */
export interface Renewal extends MadeByRoot {
  wanted: ServerCertificateWanted;
}

/**
 * Makes a certificate for the purpose and the names of one that is not replaced. Outside of any transaction. Null for one
 * whose key is elsewhere: nothing of it takes long.
 * @throws Problem 404; 409 when it was replaced, and as ensureServerCertificate
 */
export async function prepareRenewal(services: IssuingServices, id: string): Promise<Renewal | null> {
  const row = await issuedById(services.store, id);
  if (!row) throw notFound('This certificate');
  refuseReplaced(row);
  if (row.purpose === '') return null;
  const wanted = { purpose: row.purpose, names: namesOf(row), keeps_key: KEPT_KEYS.has(row.purpose) };
  const root = await newestRoot(services.store);
  return { wanted, ...(await makeOne(services, wanted, { root })) };
}

/** In the caller's transaction, who also writes the event. Answers the new row's id. @throws Problem 409 */
export async function storeRenewal(
  tx: Transaction,
  services: Omit<IssuingServices, 'store'>,
  by: { actor: Pick<AuditContext['actor'], 'name'>; at: string },
  id: string,
  renewal: Renewal | null,
): Promise<{ id: string; event: AuditEvent }> {
  const row = await issuedById(tx, id);
  if (!row) throw notFound('This certificate');
  refuseReplaced(row);
  if (renewal === null) {
    const { renewInto } = await import('./issue-request.ts');
    return renewInto(tx, services, by, row);
  }
  const { wanted, ...made } = renewal;
  const { event } = await storeOne(tx, services, by, wanted, { ...made, reason: 'asked' });
  return { id: event.resource_id!, event };
}

export function refuseReplaced({ replaced_at, revoked_at }: IssuedRow): void {
  if (revoked_at !== null) throw new Problem('state_conflict', `This certificate was revoked at ${revoked_at}.`);
  if (replaced_at === null) return;
  throw new Problem('state_conflict', `Another certificate took the place of this one at ${replaced_at}: renew that.`);
}

export const systemContext = ({ clock }: Pick<Services, 'clock'>): AuditContext => ({
  at: instant(clock.now()),
  actor: systemActor('certificate-authority'),
  request_id: 'certificate-authority',
  source_address: '',
});

/** Callers of one store go one after another: the second finds what the first made. */
const turns = new WeakMap<Store, Promise<unknown>>();

function inTurn<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(store) ?? Promise.resolve()).then(work, work);
  turns.set(
    store,
    turn.catch(() => undefined),
  );
  return turn;
}

interface Standing {
  root: AuthorityRow | undefined;
  /** What can be served with as it is. */
  good: ServerCertificate | null;
  reason: IssueReason;
}

async function standing(
  db: Database,
  services: Omit<IssuingServices, 'store'>,
  { purpose, names }: ServerCertificateWanted,
): Promise<Standing> {
  const now = services.clock.now();
  const root = await newestRoot(db);
  const current = await currentIssued(db, purpose);
  const settings = await readAuthority(db);
  if (!root) return { root, good: null, reason: 'first' };
  const ends = validityFrom(now, settings.certificate_validity_days, validityOf(root)).not_after;
  const reason = settings.enabled
    ? reasonFor(current, root, names, now, ends)
    : // Without custody, nothing is made before it has to be.
      reasonFor(current, root, names, now, new Date(0));
  if (reason !== null) return { root, good: null, reason };
  const key_pem = await openKey(services, 'issued_certificate', current!);
  if (key_pem === null) return { root, good: null, reason: 'key_unusable' };
  const { certificate_pem, sha256, not_after } = current!;
  const good = { cert_pem: certificate_pem + chainOf(root), key_pem, sha256, not_after, issued: false };
  return { root, good, reason: 'first' };
}

/** Null while the current one does. `ends`: when one that is made now would end; there is no point in an earlier one. */
export function reasonFor(
  current: IssuedRow | undefined,
  root: AuthorityRow,
  names: readonly string[],
  now: Date,
  ends: Date,
): IssueReason | null {
  if (!current) return 'first';
  if (current.authority_id !== root.id) return 'other_root';
  if (!coversAll(namesOf(current), names)) return 'other_names';
  const validity = validityOf(current);
  const state = validityState(validity, now);
  if (state !== 'valid') return state;
  return isDue(validity, now) && ends > validity.not_after ? 'due' : null;
}

/** What a server sends after its own certificate. */
export const chainOf = ({ certificate_pem, chain_pem }: AuthorityRow): string => certificate_pem + chain_pem;

interface MadeByRoot {
  made: Made;
  root: AuthorityRow;
  portal_host: string;
}

/** Outside of any transaction: the key pair takes its time. @throws Problem `certificate_authority_missing` */
async function makeOne(
  services: IssuingServices,
  { purpose, names, keeps_key = false }: ServerCertificateWanted,
  { root }: Pick<Standing, 'root'>,
): Promise<MadeByRoot> {
  const {
    signer,
    organization,
    certificate_validity_days,
    root: signing,
  } = await openSigner(services.store, services, root);
  const validity = validityFrom(services.clock.now(), certificate_validity_days, validityOf(signing));
  // A megabyte of X.509, which is loaded when a certificate is made.
  const { makeServer } = await import('./make.ts');
  const portal = await portalAddresses(services.host, signing.id);
  const kept = keeps_key ? await keptKey(services, purpose) : null;
  const made = await makeServer(signer, { names, organization, portal, kept, ...validity }, services.entropy);
  return { made, root: signing, portal_host: portal?.host ?? '' };
}

/** Purposes whose key stays when a person asks for another certificate as well: vCenter pins that of the KMIP server. */
const KEPT_KEYS: ReadonlySet<string> = new Set(['kms']);

/** The key of the certificate that counts; null where there is none, it was revoked, or it can't be opened. */
async function keptKey(services: IssuingServices, purpose: string): Promise<NonNullable<ServerWanted['kept']> | null> {
  const current = await currentIssued(services.store, purpose);
  if (!current) return null;
  const key_pem = await openKey(services, 'issued_certificate', current);
  return key_pem === null ? null : { key_pem, key_algorithm: current.key_algorithm };
}

/**
 * Another certificate of the purpose counts from now on: one that its unit brings to the host waits for a plan, others are
 * taken up by the service itself.
 */
export async function outdateServer(tx: Transaction, purpose: string): Promise<void> {
  if (CERTIFIED_BY_PLAN.includes(purpose)) await outdateUnit(tx, purpose);
}

export interface OpenedSigner {
  signer: Signer;
  root: AuthorityRow;
  organization: string;
  certificate_validity_days: number;
}

/** The root with its key, to sign with now. @throws Problem `certificate_authority_missing` */
export async function openSigner(
  db: Database,
  services: Pick<Services, 'keyring' | 'clock'>,
  root: AuthorityRow | undefined,
): Promise<OpenedSigner> {
  const { enabled, organization, certificate_validity_days } = await readAuthority(db);
  if (!root) throw missing('The certificate authority has no root certificate yet: make it.');
  if (!enabled) throw missing('Custody is off, so no certificate is issued or renewed: switch it on.');
  const signing = await rootState(services, root, services.clock.now());
  if (signing.state !== 'valid') throw missing(`${UNUSABLE[signing.state](root)} Make a new one.`);
  const { certificate_pem: pem, key_algorithm } = root;
  return { signer: { pem, key_algorithm, key_pem: signing.key_pem }, root, organization, certificate_validity_days };
}

export const UNUSABLE: Record<'expired' | 'not_yet_valid' | 'unusable', (root: AuthorityRow) => string> = {
  expired: ({ not_after }) => `The root certificate expired at ${not_after}.`,
  not_yet_valid: ({ not_before }) =>
    `The root certificate is valid from ${not_before} only: set the clock if it is wrong.`,
  unusable: () => 'The private key of the root certificate can’t be opened: restore vault.keys if a copy has it.',
};

async function storeOne(
  tx: Transaction,
  services: Omit<IssuingServices, 'store'>,
  { at, actor }: { actor: Pick<AuditContext['actor'], 'name'>; at: string },
  { purpose, names, taken_up = false }: ServerCertificateWanted,
  { made, root, reason, portal_host }: MadeByRoot & { reason: IssueReason },
): Promise<{ certificate: ServerCertificate; event: AuditEvent }> {
  if ((await newestRoot(tx))?.id !== root.id) throw missing('Another root certificate was made meanwhile: try again.');
  const id = newId('cert', services.entropy);
  const sealed = await sealKey(services, 'issued_certificate', id, made.key_pem);
  const replaced = await replaceIssued(tx, purpose, at);
  if (!taken_up) await outdateServer(tx, purpose);
  const row = { id, authority_id: root.id, purpose, names: JSON.stringify(names), replaced_at: null, portal_host };
  await insertRow(tx, 'issued_certificate', { ...row, ...columnsOf(made, sealed, actor.name, at) });
  const not_after = instant(made.not_after);
  const { subject, sha256, serial_number } = made;
  const detail = { purpose, names, subject, sha256, serial_number, not_after, reason, replaced: replaced > 0 };
  const event = { action: 'certificate.issue', resource_type: 'certificate', resource_id: id, detail };
  const cert_pem = made.pem + chainOf(root);
  return { certificate: { cert_pem, key_pem: made.key_pem, sha256, not_after, issued: true }, event };
}
