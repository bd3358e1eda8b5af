// What the provider’s listeners answer: the applied state for the probe, our stylesheet, the sign-in, and what the library does
// below the path of the issuer. Requests are logged without query and body: they hold codes and secrets.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Frame, failedPage, signedOutPage, signOutPage } from '../pages/oidc/sign-in-pages.tsx';
import { plainAddress } from '../shared/ground/addresses/source.ts';
import { replaceFile } from '../shared/ground/machine/durable-file.ts';
import { Problem } from '../shared/ground/problems.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { pathOfIssuer } from '../shared/services/oidc/issuer.ts';
import { openKeys } from '../shared/services/oidc/keys/signing-keys.ts';
import { APPLIED_PATH, type AppliedOidc, PROBE_PATH } from '../shared/services/oidc/manifest.ts';
import type { Identity } from '../shared/services/oidc/provider/provider.ts';
import type { Assets } from './assets.ts';
import { usersOfDirectory } from './oidc-directory.ts';
import { refusedWhileHeld } from './oidc-held.ts';
import { usersOfAppliance } from './oidc-people.ts';
import { identityPolicy } from './oidc-policy.ts';
import { isPosted, sendOn } from './oidc-posted.ts';
import { answerSignIn, type SignInShell } from './oidc-sign-in.ts';
import { OVER_TLS, SECURITY_HEADERS } from './security-headers.ts';

/** What a log line may hold of what a client sends, characters. */
const LOGGED = 128;

export interface PlaneOptions {
  services: Services;
  assets: Assets;
  /** Whether a request is for another plane at the same address and port. */
  isMisdirected(request: IncomingMessage): boolean;
}

export type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** All that answers for one applied state and one set of keys. */
interface Served {
  prefix: string;
  applied: string;
  shell: SignInShell;
}

export class OidcPlane {
  readonly #options: PlaneOptions;
  #served: Served | null = null;
  #stamp = '';
  #secret = '';

  constructor(options: PlaneOptions) {
    this.#options = options;
  }

  /**
   * Answers from now on for this state and these keys; requests that run are finished by what they began with.
   * @throws Problem 409 `vault_keys_unusable`
   */
  async follow(applied: AppliedOidc | null): Promise<void> {
    if (applied === null) {
      this.#served = null;
      this.#stamp = '';
      return;
    }
    const { services } = this.#options;
    const keys = await openKeys(services.store, services);
    const stamp = [applied.digest, ...keys.map(({ kid }) => kid)].join(' ');
    if (stamp === this.#stamp) return;
    const [signs] = keys;
    this.#served = signs ? await this.#make(applied, keys, signs.kid) : null;
    this.#stamp = stamp;
  }

  async #make(
    { manifest, digest }: AppliedOidc,
    keys: Awaited<ReturnType<typeof openKeys>>,
    signs: string,
  ): Promise<Served> {
    const { services } = this.#options;
    const frame: Frame = {
      css: `/assets/${services.settings.assets['app.css'] ?? 'app.css'}`,
      host: new URL(manifest.issuer).host,
    };
    const people = { appliance: usersOfAppliance(services), directory: usersOfDirectory(services) };
    const { makeIdentity } = await import('../shared/services/oidc/provider/provider.ts');
    const identity: Identity = makeIdentity({
      ...{ services, manifest, keys, people },
      policy: identityPolicy,
      probe_secret: await this.#probeSecret(),
      pages: {
        error: (error) => failedPage(frame, saidOf(error), error),
        signOut: (form) => signOutPage(frame, form),
        signedOut: () => signedOutPage(frame),
      },
    });
    const shell = { services, identity, people, frame };
    return { prefix: pathOfIssuer(manifest.issuer), applied: `${digest} ${signs}\n`, shell };
  }

  /** Written when something is served first; who reads the file is the service, or root. */
  async #probeSecret(): Promise<string> {
    if (this.#secret !== '') return this.#secret;
    const { newProbeSecret } = await import('../shared/services/oidc/provider/probe-client.ts');
    const secret = newProbeSecret();
    await replaceFile(this.#options.services.host.resolve(PROBE_PATH), secret, 0o600);
    this.#secret = secret;
    return secret;
  }

  readonly serve: Serve = async (request, response) => {
    const { logger } = this.#options.services;
    const began = performance.now();
    const path = (request.url ?? '').split('?', 1)[0]!.slice(0, LOGGED);
    const { remoteAddress } = request.socket;
    try {
      await this.#answer(request, response);
    } catch (error) {
      failed(response, error as Error, logger);
    }
    logger.info('OpenID Connect request', {
      method: request.method,
      path,
      status: response.statusCode,
      source_address: plainAddress(remoteAddress ?? ''),
      duration_ms: Math.round(performance.now() - began),
    });
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { assets, isMisdirected } = this.#options;
    for (const [name, value] of Object.entries({ ...SECURITY_HEADERS, ...OVER_TLS })) response.setHeader(name, value);
    if (isMisdirected(request)) return text(response, 421, 'Misdirected request\n');
    const { url = '' } = request;
    // A target with an authority would stand for the name that answers are made with.
    if (!url.startsWith('/') || url.startsWith('//')) return text(response, 400, 'Bad request\n');
    if (url.startsWith('/assets/') && assets.serve(request, response)) return;
    const served = this.#served;
    if (!served) return text(response, 503, 'Not ready\n');
    const { prefix, applied, shell } = served;
    if (url === APPLIED_PATH) return text(response, 200, applied);
    if (!url.startsWith(`${prefix}/`)) return text(response, 404, 'Not found\n');
    const target = url.slice(prefix.length);
    if (refusedWhileHeld({ store: shell.services.store, frame: shell.frame }, request, response, target)) return;
    if (isPosted(request, target)) return sendOn(request, response, url.split('?', 1)[0]!);
    Object.assign(request, { originalUrl: url, url: target });
    if (/^\/interaction\/[A-Za-z0-9_-]{1,64}$/.test(target)) return answerSignIn(shell, request, response);
    await shell.identity.handle(request, response);
  }
}

const SAID: Readonly<Record<string, string>> = {
  invalid_client: 'What asked for this sign-in is not known here, or is switched off.',
  invalid_redirect_uri: 'What asked for this sign-in wants the answer at an address that is not set up for it.',
  session_not_found: 'This sign-in is over, or was begun in another browser.',
  server_error: 'Something went wrong here.',
};
const saidOf = (error: string): string =>
  SAID[error] ?? 'What asked for this sign-in did not ask in a way that can be answered.';

function failed(response: ServerResponse, error: Error, logger: Services['logger']): void {
  const refused = error instanceof Problem && error.status < 500;
  if (!refused)
    logger.error('OpenID Connect', { failure: { name: error.name, message: error.message, stack: error.stack } });
  if (response.headersSent) return void response.destroy();
  // The rest of what was sent is not read.
  if (refused) response.setHeader('connection', 'close');
  text(response, refused ? error.status : 500, refused ? `${error.message}\n` : 'Internal error\n');
}

function text(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
