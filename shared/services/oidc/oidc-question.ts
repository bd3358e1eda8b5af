// A separate program: asks OpenID Connect providers who they are, each at its address, over TLS, and prints the answers as JSON.
// It runs where the service answers. Argument: OidcQuestions as JSON.
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';

export interface OidcQuestions {
  listeners: { address: string; port: number }[];
  /** Name that the certificate has to have; empty: the address. */
  hostname: string;
  /** Paths of the applied state and of the discovery document. */
  applied: string;
  discovery: string;
  /** The only root that is trusted. */
  ca_pem: string;
}

export interface OidcAnswer {
  /** Digest of the state that is served, and id of the key that signs. */
  applied: string;
  signs: string;
  issuer: string;
  /** Ids of the published keys. */
  keys: string[];
  /** Of the certificate that was shown, `AA:BB:…`. */
  sha256?: string | null;
  /** Why there is no answer, in a clause. */
  error: string | null;
}

const WAIT_MS = 3_000;
const TEXT_MOST = 64 << 10;

type How = Pick<OidcQuestions, 'hostname' | 'ca_pem'>;

function ask(
  { address, port }: OidcQuestions['listeners'][number],
  { hostname, ca_pem }: How,
  path: string,
): Promise<{ text: string; sha256: string | null }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: address,
        port,
        path,
        ca: ca_pem,
        agent: false,
        timeout: WAIT_MS,
        ...(hostname !== '' && { servername: hostname, headers: { host: hostname } }),
      },
      (response) => {
        let text = '';
        const sha256 = (response.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? null;
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (text.length > TEXT_MOST) response.destroy();
        });
        response.on('error', reject);
        response.on('end', () =>
          response.statusCode === 200 ? resolve({ text, sha256 }) : reject(new Error(`status ${response.statusCode}`)),
        );
      },
    );
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.on('error', reject);
    asked.end();
  });
}

export async function askProvider(
  listener: OidcQuestions['listeners'][number],
  { applied, discovery, ...how }: Omit<OidcQuestions, 'listeners'>,
): Promise<OidcAnswer> {
  const none: OidcAnswer = { applied: '', signs: '', issuer: '', keys: [], error: null };
  try {
    const { text, sha256 } = await ask(listener, how, applied);
    const [digest = '', signs = ''] = text.trim().split(' ');
    const document = await ask(listener, how, discovery);
    const { issuer, jwks_uri } = JSON.parse(document.text) as Record<string, string>;
    const published = await ask(listener, how, new URL(jwks_uri ?? '').pathname);
    const keys = (JSON.parse(published.text) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    return { applied: digest, signs, issuer: issuer ?? '', keys, sha256, error: null };
  } catch (error) {
    return { ...none, error: (error as Error).message };
  }
}

if (import.meta.main) {
  const { listeners, ...how } = JSON.parse(process.argv[2] ?? '') as OidcQuestions;
  process.stdout.write(`${JSON.stringify(await Promise.all(listeners.map((each) => askProvider(each, how))))}\n`);
}
