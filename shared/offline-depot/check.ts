// Asks the depot the way an appliance does before it takes it for its own: over TLS, with nothing trusted but our root, by
// its name, for a file that every filled depot has, with the login.
import { request } from 'node:https';
import { isIP } from 'node:net';
import type { Services } from '../operation/services.ts';
import type { DepotEndpoint } from './availability.ts';

/** What appliances ask for first. */
export const METADATA_FILE = '/PROD/metadata/productVersionCatalog/v1/productVersionCatalog.json';

const WAIT_MS = 10_000;

export interface DepotCheck {
  ok: boolean;
  /** What was asked and what came back, in one sentence; when not ok, with what to do. Nothing secret. */
  said: string;
}

type Asked = Pick<DepotEndpoint, 'hostname' | 'address' | 'port' | 'url' | 'username' | 'ca_pem'>;

/** Never throws: what goes wrong is the answer. */
export async function checkDepot(
  _services: Pick<Services, 'logger'>,
  endpoint: Asked,
  password: string,
): Promise<DepotCheck> {
  const { url, username } = endpoint;
  try {
    const status = await head(endpoint, password);
    if (status === 200) {
      return { ok: true, said: `${url} shows a certificate of our authority and lets ${username} in.` };
    }
    return { ok: false, said: FAULTS[status]?.(endpoint) ?? `${url} answered with status ${status}.` };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { ok: false, said: `${url} can’t be used: ${REASONS[code ?? ''] ?? message}.` };
  }
}

const FAULTS: Readonly<Record<number, (endpoint: Asked) => string>> = {
  401: ({ url, username }) => `${url} does not let ${username} in with this password: type the one of this depot user.`,
  404: ({ url }) =>
    `${url} lets the user in, but has no ${METADATA_FILE.slice(1)}: fill the depot with its metadata first.`,
  429: ({ url }) => `${url} was asked with wrong passwords too often: wait a minute, then try again.`,
};

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  EHOSTUNREACH: 'there is no way to the address',
  ENETUNREACH: 'there is no way to the address',
  ETIMEDOUT: 'no answer in time',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of another authority than ours',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of another authority than ours',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of another authority than ours',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate does not name it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: look at the clock of the appliance',
};

function head({ hostname, address, port, username, ca_pem }: Asked, password: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const named = isIP(hostname) === 0;
    const asked = request(
      {
        method: 'HEAD',
        host: address,
        port,
        path: METADATA_FILE,
        ca: ca_pem,
        agent: false,
        timeout: WAIT_MS,
        auth: `${username}:${password}`,
        ...(named && { servername: hostname, headers: { host: hostname } }),
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    asked.on('timeout', () => asked.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })));
    asked.on('error', reject);
    asked.end();
  });
}
