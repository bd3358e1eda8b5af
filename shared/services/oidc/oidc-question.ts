// A separate program: asks OpenID Connect providers who they are, and for a sign-in of the appliance's own client, each at its
// address, over TLS, and prints the answers as JSON. It runs where the service answers. Argument: OidcQuestions as JSON.
import type { JsonWebKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Endpoints, signInOnce } from './probe-flow.ts';
import { type At, type Exchange, exchangeAt } from './probe-transport.ts';

export interface OidcQuestions extends Pick<At, 'hostname' | 'ca_pem'> {
  listeners: Pick<At, 'address' | 'port'>[];
  /** Paths of the applied state and of the discovery document. */
  applied: string;
  discovery: string;
  /** File with the secret of the appliance's own client; null: it does not sign in. */
  secret: string | null;
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
  /** Why the sign-in came to nothing, in a clause. */
  flow?: string | null;
}

type Published = (JsonWebKey & { kid: string })[];

const NONE: OidcAnswer = { applied: '', signs: '', issuer: '', keys: [], error: null };

async function found(exchange: Exchange, path: string) {
  const heard = await exchange(path);
  if (heard.status !== 200) throw new Error(`status ${heard.status}`);
  return heard;
}

export async function askProvider(
  listener: OidcQuestions['listeners'][number],
  { applied, discovery, secret, ...how }: Omit<OidcQuestions, 'listeners'>,
): Promise<OidcAnswer> {
  const exchange = exchangeAt({ ...listener, ...how });
  try {
    const { text, sha256 } = await found(exchange, applied);
    const [digest = '', signs = ''] = text.trim().split(' ');
    const document = JSON.parse((await found(exchange, discovery)).text) as Endpoints & { jwks_uri: string };
    const published = await found(exchange, new URL(document.jwks_uri).pathname);
    const { keys } = JSON.parse(published.text) as { keys: Published };
    const { issuer = '' } = document;
    const flow = secret === null ? null : await signedIn(exchange, document, keys, secret);
    return { applied: digest, signs, issuer, keys: keys.map(({ kid }) => kid), sha256, error: null, flow };
  } catch (error) {
    return { ...NONE, error: (error as Error).message };
  }
}

async function signedIn(
  exchange: Exchange,
  document: Endpoints,
  keys: Published,
  file: string,
): Promise<string | null> {
  try {
    const secret = await readFile(file, 'utf8').catch(() => {
      throw new Error('the secret of the probe can’t be read');
    });
    await signInOnce(exchange, document, keys, secret.trim());
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

if (import.meta.main) {
  const { listeners, ...how } = JSON.parse(process.argv[2] ?? '') as OidcQuestions;
  process.stdout.write(`${JSON.stringify(await Promise.all(listeners.map((each) => askProvider(each, how))))}\n`);
}
