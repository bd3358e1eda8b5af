// The OCSP responder (RFC 6960): tells of each certificate that the appliance issued whether it was revoked, at once after it
// was. Bytes in, bytes out; whoever listens decides where.
import { instant, later } from '../../ground/clock.ts';
import type { Database } from '../../ground/store/database.ts';
import { DerFault } from '../../ground/x509/der-read.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { type RevocationReason, validityOf } from './certificate-store.ts';
import { validityState } from './lifetime.ts';
import { type CertId, parseOcspRequest } from './ocsp-request.ts';
import { type CertStatus, identityOf, type OcspSigner, ocspError, signOcsp } from './ocsp-response.ts';
import { openSigner, signerOf } from './ocsp-signer.ts';

/** An answer holds this long, or as long as the certificate of its signer: who was told waits so long to ask again. */
const HOLDS_SECONDS = 3600;

interface Known {
  id: string;
  identity: ReturnType<typeof identityOf>;
}

export interface OcspAnswer {
  der: Buffer;
  /** Seconds for which it may be kept; null: not at all. */
  max_age: number | null;
}

const failure = (word: Parameters<typeof ocspError>[0]): OcspAnswer => ({ der: ocspError(word), max_age: null });

export class OcspResponder {
  readonly #services: Pick<Services, 'store' | 'keyring' | 'clock'>;
  /** By the SHA-256 of their certificates, which never change. */
  readonly #authorities = new Map<string, Known>();
  /** By the id of their rows: a key is opened once. */
  readonly #signers = new Map<string, OcspSigner>();
  /** An authority has no signer: somebody is to make one. */
  wanting = false;

  constructor(services: Pick<Services, 'store' | 'keyring' | 'clock'>) {
    this.#services = services;
  }

  /** @throws Problem where the store or the keys can't be used */
  async answer(request: Buffer): Promise<OcspAnswer> {
    const asked = parsed(request);
    if (asked === null) return failure('malformed');
    const { store, clock } = this.#services;
    const authorities = await this.#known(store);
    const first = asked.ids.map((id) => issuerOf(id, authorities)).find((issuer) => issuer !== null);
    // Of certificates of others nothing can be said that anybody would believe (RFC 6960, 2.3).
    if (!first) return failure('unauthorized');
    const row = await signerOf(store, first.id);
    const now = wholeSecond(clock.now());
    const signer = row && validityState(validityOf(row), now) === 'valid' ? await this.#open(row) : null;
    if (!row || !signer) {
      this.wanting = true;
      return failure('try_later');
    }
    const ends = new Date(row.not_after);
    const holds = later(now, HOLDS_SECONDS);
    const next_update = ends < holds ? ends : holds;
    const answers: { id: CertId; status: CertStatus }[] = [];
    for (const id of asked.ids) {
      const own = issuerOf(id, authorities)?.id === first.id;
      answers.push({ id, status: own ? await statusOf(store, first.id, id.serial_number) : { state: 'unknown' } });
    }
    const der = signOcsp(signer, { answers, nonce: asked.nonce, now, next_update });
    const max_age = Math.floor((next_update.getTime() - now.getTime()) / 1000);
    return { der, max_age: asked.nonce === null ? max_age : null };
  }

  async #known(db: Database): Promise<Known[]> {
    const rows = await db.all<{ id: string; sha256: string }>('SELECT id, sha256 FROM certificate_authority');
    const found: Known[] = [];
    for (const { id, sha256 } of rows) {
      let known = this.#authorities.get(sha256);
      if (known?.id !== id) {
        known = { id, identity: identityOf(await certificateOf(db, id)) };
        this.#authorities.set(sha256, known);
      }
      found.push(known);
    }
    return found;
  }

  async #open(row: Parameters<typeof openSigner>[1]): Promise<OcspSigner | null> {
    const had = this.#signers.get(row.id);
    if (had) return had;
    const opened = await openSigner(this.#services, row);
    if (opened && this.#signers.size >= SIGNERS_KEPT) this.#signers.clear();
    if (opened) this.#signers.set(row.id, opened);
    return opened;
  }
}

/** Authorities are few; a former signer is of no use. */
const SIGNERS_KEPT = 16;

function parsed(request: Buffer) {
  try {
    return parseOcspRequest(request);
  } catch (fault) {
    if (fault instanceof DerFault) return null;
    throw fault;
  }
}

async function certificateOf(db: Database, id: string): Promise<Buffer> {
  const row = await db.one<{ pem: string }>('SELECT certificate_pem AS pem FROM certificate_authority WHERE id = ?', [
    id,
  ]);
  return Buffer.from((row?.pem ?? '').replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');
}

const issuerOf = ({ hash, issuer_name_hash, issuer_key_hash }: CertId, known: readonly Known[]): Known | null =>
  (hash !== null &&
    known.find(({ identity }) => identity.name[hash] === issuer_name_hash && identity.key[hash] === issuer_key_hash)) ||
  null;

async function statusOf(db: Database, authority_id: string, serial_number: string): Promise<CertStatus> {
  const row = await db.one<{ revoked_at: string | null; reason: RevocationReason | null }>(
    `SELECT revoked_at, revocation_reason AS reason FROM issued_certificate
      WHERE serial_number = ? AND authority_id = ?`,
    [serial_number, authority_id],
  );
  if (!row) return { state: 'unknown' };
  if (row.revoked_at === null) return { state: 'good' };
  return { state: 'revoked', at: instant(new Date(row.revoked_at)), reason: row.reason ?? 'unspecified' };
}

/** An answer knows no smaller part. */
const wholeSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);
