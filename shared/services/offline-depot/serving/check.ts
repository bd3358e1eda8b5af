// Queries the depot like an appliance before it uses the depot: over TLS, trusting only our root, by its name, for a
// file that every filled depot has, with the login.
import { request } from 'node:https';
import { isIP } from 'node:net';
import type { DepotEndpoint } from './availability.ts';

/** The first file that appliances fetch. */
export const METADATA_FILE = '/PROD/metadata/productVersionCatalog/v1/productVersionCatalog.json';

const WAIT_MS = 10_000;

export interface DepotCheck {
  ok: boolean;
  /** The request and its answer, in one sentence. Without secrets. */
  said: string;
  /** What to do about it; empty when ok. */
  way_out: string;
  /** Whether the fault is the password. */
  login_refused: boolean;
}

type Asked = Pick<DepotEndpoint, 'hostname' | 'address' | 'port' | 'url' | 'username' | 'ca_pem'>;

/** Never throws: a fault is part of the answer. */
export async function checkDepot(endpoint: Asked, password: string): Promise<DepotCheck> {
  const { url, username } = endpoint;
  try {
    const status = await head(endpoint, password);
    if (status === 200) {
      return {
        ok: true,
        said: `${url} shows a certificate of our authority and lets ${username} in.`,
        way_out: '',
        login_refused: false,
      };
    }
    const [said, way_out] = FAULTS[status] ?? [() => `answered with status ${status}`, ITS_PAGE];
    return { ok: false, said: `${url} ${said(username)}.`, way_out, login_refused: status === 401 };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const [reason, way_out] = REASONS[code ?? ''] ?? [message, ITS_PAGE];
    return { ok: false, said: `${url} can’t be used: ${reason}.`, way_out, login_refused: false };
  }
}

const ITS_PAGE = 'See Offline depot.';

/** Status → what it means for the user, and what to do. */
const FAULTS: Readonly<Record<number, readonly [said: (username: string) => string, way_out: string]>> = {
  401: [(username) => `does not let ${username} in with this password`, 'Type the password of this depot user.'],
  404: [
    (username) => `lets ${username} in, but has no ${METADATA_FILE.slice(1)}`,
    'Fill the depot with its metadata first.',
  ],
  429: [() => 'was asked with wrong passwords too often', 'Wait a minute, then try again.'],
};

const RUNS = 'See that the offline depot is applied and runs, then try again.';
const ADDRESS = 'Check the address of the offline depot.';
const CERTIFICATE = 'Look at the certificate of the offline depot on its page.';
const OTHER = ['its certificate is of another authority than ours', CERTIFICATE] as const;

/** Code → why it can't be used, and what to do. */
const REASONS: Readonly<Record<string, readonly [reason: string, way_out: string]>> = {
  ECONNREFUSED: ['nothing listens there', RUNS],
  ECONNRESET: ['the connection broke', RUNS],
  EHOSTUNREACH: ['there is no way to the address', ADDRESS],
  ENETUNREACH: ['there is no way to the address', ADDRESS],
  ETIMEDOUT: ['no answer in time', RUNS],
  SELF_SIGNED_CERT_IN_CHAIN: OTHER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: OTHER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: OTHER,
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate does not name it', CERTIFICATE],
  CERT_HAS_EXPIRED: ['its certificate has expired', CERTIFICATE],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'Look at the clock of this appliance.'],
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
