// The plane of the certificate portal: plain HTTP, from what was applied, and one answer to everything else. What was revoked
// is told as it is now: that takes effect without an apply.
import { newId } from '../shared/ground/clock.ts';
import type { GatewayAnswer, GatewayEvent } from '../shared/kernel/operation/event.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { authorityById } from '../shared/platform/certificate-authority/certificate-store.ts';
import { OcspResponder } from '../shared/platform/certificate-authority/ocsp.ts';
import { OCSP_REQUEST_MOST, ocspRequestOfPath } from '../shared/platform/certificate-authority/ocsp-request.ts';
import { ensureSigners } from '../shared/platform/certificate-authority/ocsp-signer.ts';
import { APPLIED_PATH, OCSP_PATH, PORTAL } from '../shared/platform/certificate-authority/portal/addresses.ts';
import {
  type AppliedPortal,
  type PortalAuthority,
  readManifest,
  signingOf,
} from '../shared/platform/certificate-authority/portal/manifest.ts';
import { refusal } from './boot-plane.ts';
import { hostNamed } from './host-named.ts';

export interface PortalPlane {
  answer(event: GatewayEvent): Promise<GatewayAnswer>;
  /** Whether it is the portal that a request means: by its paths at any name, and whatever the path at its host name. */
  owns(event: Pick<GatewayEvent, 'rawPath'> & { headers: { host?: string } }): Promise<boolean>;
  /** Makes the certificates that answers of OCSP are signed by, where they are missing or due. */
  lookAfterSigners(): Promise<void>;
}

/** Signers are looked after this often, and this often while one can't be made, milliseconds. */
const SIGNERS_MS = { good: 10 * 60_000, failed: 30_000 };
/** A list may be kept this long, seconds: it holds for days, and what was revoked is to be known soon. */
const LIST_KEPT = 3600;
const ROOT_KEPT = 86_400;
/** What a log line may hold of what a client sends, characters. */
const LOGGED = 128;
const FILE = /^\/ca\/([A-Za-z0-9_-]{1,64})\.(crt|pem|p7b|crl)$/;

export function portalPlane(services: Services): PortalPlane {
  const responder = new OcspResponder(services);
  let due = 0;
  let told = '';
  return {
    async answer(event) {
      const answer = (await route(services, responder, event)) ?? refusal();
      const { method, path, sourceIp } = event.requestContext.http;
      services.logger.info('portal request', {
        request_id: newId('req', services.entropy),
        method: method.slice(0, 16),
        path: path.slice(0, LOGGED),
        status: answer.statusCode,
        source_address: sourceIp,
      });
      return answer;
    },
    async owns({ rawPath, headers }) {
      if (rawPath.startsWith(PORTAL)) return true;
      const applied = await readManifest(services.host).catch(() => null);
      const hostname = applied?.manifest.hostname ?? '';
      return hostname !== '' && hostNamed(headers.host ?? '') === hostname;
    },
    async lookAfterSigners() {
      if (performance.now() < due && !responder.wanting) return;
      responder.wanting = false;
      const applied = await readManifest(services.host).catch(() => null);
      if (!applied?.manifest.revocation) return;
      due = performance.now() + SIGNERS_MS.failed;
      try {
        const made = await ensureSigners(services);
        due = performance.now() + SIGNERS_MS.good;
        told = '';
        if (made.length > 0) services.logger.info('OCSP signers', { made });
      } catch (error) {
        const { message } = error as Error;
        if (message !== told) services.logger.error('OCSP signers', { failure: { message } });
        told = message;
      }
    },
  };
}

/** Null: there is nothing. */
async function route(services: Services, responder: OcspResponder, event: GatewayEvent): Promise<GatewayAnswer | null> {
  const applied = await readManifest(services.host);
  if (!applied) return null;
  const { method } = event.requestContext.http;
  const { rawPath } = event;
  if (method === 'POST') {
    if (rawPath !== OCSP_PATH || !applied.manifest.revocation) return null;
    return ocsp(responder, (await event.incoming?.read(OCSP_REQUEST_MOST)) ?? Buffer.alloc(0), false);
  }
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (rawPath === APPLIED_PATH) return text(`${applied.digest}\n`);
  if (rawPath.startsWith(`${OCSP_PATH}/`)) {
    if (!applied.manifest.revocation) return null;
    const request = ocspRequestOfPath(rawPath.slice(OCSP_PATH.length + 1));
    return request && ocsp(responder, request, true);
  }
  return file(services, applied, rawPath);
}

async function ocsp(responder: OcspResponder, request: Buffer, keeps: boolean): Promise<GatewayAnswer> {
  const { der, max_age } = await responder.answer(request);
  return bytes(der, 'application/ocsp-response', keeps && max_age !== null ? max_age : null);
}

async function file(services: Services, applied: AppliedPortal, path: string): Promise<GatewayAnswer | null> {
  const [, name, kind] = FILE.exec(path) ?? [];
  const authority = name === undefined ? undefined : authorityNamed(applied, name);
  if (!authority) return null;
  const { pem, chain_pem } = authority;
  if (kind === 'pem') return text(pem + chain_pem, 'application/x-pem-file', ROOT_KEPT);
  if (kind === 'crt') return bytes(derOf(pem), 'application/pkix-cert', ROOT_KEPT);
  if (kind === 'p7b') {
    const { pkcs7 } = await import('../shared/platform/certificate-authority/pkcs7.ts');
    const pems = (pem + chain_pem).split(/(?<=-----END CERTIFICATE-----\n)/).filter((each) => each.trim() !== '');
    return bytes(pkcs7(pems), 'application/pkcs7-mime', ROOT_KEPT);
  }
  if (!applied.manifest.revocation) return null;
  const row = await authorityById(services.store, authority.id);
  // It is signed minutes after the authority was made.
  if (!row || row.crl_der === '') return null;
  return bytes(Buffer.from(row.crl_der, 'base64'), 'application/pkix-crl', LIST_KEPT);
}

const authorityNamed = ({ manifest }: AppliedPortal, name: string): PortalAuthority | undefined =>
  name === 'root' ? signingOf(manifest) : manifest.authorities.find(({ id }) => id === name);

const derOf = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');

const kept = (seconds: number | null): string => (seconds === null ? 'no-store' : `public, max-age=${seconds}`);

const bytes = (content: Buffer, type: string, seconds: number | null): GatewayAnswer => ({
  statusCode: 200,
  headers: { 'content-type': type, 'cache-control': kept(seconds) },
  body: content.toString('base64'),
  isBase64Encoded: true,
});

const text = (body: string, type = 'text/plain; charset=utf-8', seconds: number | null = null): GatewayAnswer => ({
  statusCode: 200,
  headers: { 'content-type': type, 'cache-control': kept(seconds) },
  body,
});
