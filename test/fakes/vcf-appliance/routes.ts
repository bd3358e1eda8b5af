// What the fake appliance answers at which path, by role and release. Uncertain facts are marked where they stand.
import { randomBytes, X509Certificate } from 'node:crypto';
import { type Answer, type Asked, json, noContent, paged, vendorError } from './answers.ts';
import { type DepotOptions, depot } from './depot.ts';
import { type CredentialRow, type Estate, type Masking, masked, maskedSpec } from './estate.ts';

export type Role = 'VcfInstaller' | 'SddcManager';

export interface Behaviour {
  role: Role;
  version: string;
  account: { username: string; password: string };
  /** Status by which a wrong credential is refused: 401 in practice, 400 in the documentation. */
  refusal: 400 | 401 | 403;
  /** Repeats what was submitted in its messages, as appliances now and then do. */
  echo: boolean;
  /** False: appliance-info wants a token, which no release is known to do. */
  open_info: boolean;
  /** `VIEWER` may not read credentials. */
  caller: 'ADMIN' | 'VIEWER';
  /** Requests that an access token is good for; null: any number. */
  token_uses: number | null;
  /** What the renewal takes: documentation shows both. `refused`: it knows no refresh token (any more). */
  refresh: 'json' | 'text' | 'refused';
  /** What of passwords is masked: nothing, the list but not single credentials, everything. */
  masking: Masking;
  /** Most rows of a page, whatever size was asked for. */
  page_cap: number | null;
  first_page: 0 | 1;
  deployed: boolean;
  depot: DepotOptions;
}

export interface Api {
  /** Null: no such path. `authorization` is the header's value. */
  answer: (asked: Asked, authorization: string | undefined) => Answer | null;
  behaviour: Behaviour;
  estate: Estate;
  /** Tokens that it issued, for tests that look for them. */
  tokens: string[];
  trusted: { alias: string; certificate: string }[];
}

interface Token {
  refresh: string;
  uses: number;
}

export function api(behaviour: Behaviour, estate: Estate): Api {
  const access = new Map<string, Token>();
  const refreshable = new Set<string>();
  const tokens: string[] = [];
  const trusted: Api['trusted'] = [];

  const issued = (): string => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'RS256' })}.${part({ sub: behaviour.account.username })}.${randomBytes(24).toString('base64url')}`;
    tokens.push(token);
    return token;
  };

  function trust(pem: string): boolean {
    const read = certificateIn(pem);
    if (!read) return false;
    const alias = `vcf_${read.fingerprint256}`;
    if (!trusted.some((one) => one.alias === alias)) trusted.push({ alias, certificate: pem });
    return true;
  }

  const depotApi = depot(behaviour.version, behaviour.depot, {
    trusted: () => trusted.map(({ alias }) => alias.slice('vcf_'.length)),
    trust,
  });

  function signIn({ json: body, text }: Asked): Answer {
    const { username, password } = (body ?? {}) as { username?: string; password?: string };
    if (username !== behaviour.account.username || password !== behaviour.account.password) {
      return vendorError(behaviour.refusal, {
        errorCode: 'IDENTITY_UNAUTHORIZED_ENTITY',
        message: behaviour.echo
          ? `User ${username} with password '${password?.slice(0, -1)}' was refused; request: ${text}`
          : 'Unauthorized entity',
        remediationMessage: 'Verify the credentials',
      });
    }
    const refresh = `refresh-${randomBytes(12).toString('hex')}`;
    refreshable.add(refresh);
    tokens.push(refresh);
    const accessToken = issued();
    access.set(accessToken, { refresh, uses: 0 });
    // 201 by the specification of 9.x; 200 in the documentation of 5.x.
    return json(behaviour.version.startsWith('9.') ? 201 : 200, { accessToken, refreshToken: { id: refresh } });
  }

  function renew({ json: body, text }: Asked): Answer {
    const sent = behaviour.refresh === 'json' ? body : text;
    if (behaviour.refresh === 'refused' || typeof sent !== 'string' || !refreshable.has(sent)) {
      return vendorError(400, { errorCode: 'TOKEN_INVALID', message: 'Refresh token is not valid' });
    }
    const accessToken = issued();
    access.set(accessToken, { refresh: sent, uses: 0 });
    return behaviour.refresh === 'json'
      ? json(200, accessToken)
      : { status: 200, headers: { 'content-type': 'text/plain' }, body: accessToken };
  }

  function signOut({ json: body }: Asked): Answer {
    refreshable.delete(String(body));
    for (const [token, { refresh }] of access) if (refresh === body) access.delete(token);
    return noContent();
  }

  const info = (): Answer => {
    const { role, version } = behaviour;
    if (!version.startsWith('9.')) return notFound();
    const more = version.startsWith('9.0')
      ? {}
      : {
          dnsDomain: 'lab.test',
          dnsServers: ['10.20.0.2'],
          ntpServers: ['10.20.0.2'],
          ipAddresses: [{ ipAddress: '10.20.0.4', type: 'STATIC', ipAddressVersion: 'IPV4' }],
        };
    return json(200, { role, version, ...more });
  };

  const shownInList = (row: CredentialRow): CredentialRow => (behaviour.masking === 'none' ? row : masked(row));

  function credentials({ query }: Asked): Answer {
    if (behaviour.role !== 'SddcManager') return notFound();
    if (behaviour.caller !== 'ADMIN') return forbidden();
    const type = query.get('resourceType');
    const rows = estate.credentials.filter((row) => !type || row.resource.resourceType === type);
    return paged(rows.map(shownInList), query, behaviour.page_cap, behaviour.first_page);
  }

  function credential({ path }: Asked): Answer {
    const row = estate.credentials.find(({ id }) => path === `/v1/credentials/${id}`);
    if (!row || behaviour.role !== 'SddcManager') return notFound();
    if (behaviour.caller !== 'ADMIN') return forbidden();
    return json(200, behaviour.masking === 'all' ? masked(row) : row);
  }

  const deployed = (answer: () => Answer): Answer =>
    behaviour.role === 'VcfInstaller' && behaviour.deployed && estate.spec ? answer() : notFound();

  function addCertificate({ json: body }: Asked): Answer {
    const { certificate } = (body ?? {}) as { certificate?: string };
    const read = certificateIn(certificate ?? '');
    if (!read) return vendorError(400, { errorCode: 'INVALID_CERTIFICATE', message: 'Certificate can not be parsed' });
    const alias = `vcf_${read.fingerprint256}`;
    if (trusted.some((one) => one.alias === alias)) {
      return vendorError(409, {
        errorCode: 'CERTIFICATE_ALREADY_EXISTS',
        message: `Alias ${alias} is already trusted`,
      });
    }
    trust(certificate!);
    return json(200, {});
  }

  function removeCertificate({ path }: Asked): Answer {
    const alias = decodeURIComponent(path.slice('/v1/sddc-manager/trusted-certificates/'.length));
    const at = trusted.findIndex((one) => one.alias === alias);
    if (at < 0) return notFound();
    trusted.splice(at, 1);
    return noContent();
  }

  const { id, status } = estate.deployment;
  const OPEN: Route[] = [
    ['POST', /^\/v1\/tokens$/, signIn],
    ['PATCH', /^\/v1\/tokens\/access-token\/refresh$/, renew],
    ...(behaviour.open_info ? [['GET', /^\/v1\/system\/appliance-info$/, info] satisfies Route] : []),
  ];
  const CLOSED: Route[] = [
    ['GET', /^\/v1\/system\/appliance-info$/, info],
    ['DELETE', /^\/v1\/tokens\/refresh-token$/, signOut],
    [
      'GET',
      /^\/v1\/sddc-managers$/,
      ({ query }) =>
        behaviour.role === 'SddcManager'
          ? paged(
              [{ id: 'sm', fqdn: 'sddc01.lab.test', version: behaviour.version, domain: { id: 'mgmt' } }],
              query,
              null,
            )
          : notFound(),
    ],
    ['GET', /^\/v1\/credentials$/, credentials],
    ['GET', /^\/v1\/credentials\/[^/]+$/, credential],
    ['GET', /^\/v1\/sddcs\/latest$/, () => deployed(() => json(200, { id, name: 'mgmt', status }))],
    [
      'GET',
      /^\/v1\/sddcs\/[^/]+\/spec$/,
      () => deployed(() => json(200, behaviour.masking === 'none' ? estate.spec : maskedSpec(estate.spec))),
    ],
    [
      'GET',
      /^\/v1\/sddc-manager\/trusted-certificates$/,
      ({ query }) => paged(trusted, query, behaviour.page_cap, behaviour.first_page),
    ],
    ['POST', /^\/v1\/sddc-manager\/trusted-certificates$/, addCertificate],
    ['DELETE', /^\/v1\/sddc-manager\/trusted-certificates\/[^/]+$/, removeCertificate],
    ['*', /^\/v1\/system\/settings\/depot/, (asked) => depotApi.routes(asked) ?? notFound()],
  ];
  const routed = (routes: Route[], asked: Asked): Answer | null => {
    const route = routes.find(([method, path]) => (method === '*' || method === asked.method) && path.test(asked.path));
    return route ? route[2](asked) : null;
  };

  return {
    behaviour,
    estate,
    tokens,
    trusted,
    answer(asked, authorization) {
      // An older release doesn't have the path at all, and says so before it asks for a token.
      if (asked.path === '/v1/system/appliance-info' && !behaviour.version.startsWith('9.')) return notFound();
      const open = routed(OPEN, asked);
      if (open) return open;
      const token = access.get(authorization?.replace(/^Bearer /, '') ?? '');
      if (!token || (behaviour.token_uses !== null && token.uses >= behaviour.token_uses)) {
        return vendorError(401, {
          errorCode: 'TOKEN_EXPIRED',
          message: behaviour.echo ? `Token ${authorization} is not valid` : 'Token is not valid',
        });
      }
      token.uses += 1;
      return routed(CLOSED, asked);
    },
  };
}

type Route = [method: string, path: RegExp, answer: (asked: Asked) => Answer];

const notFound = (): Answer => vendorError(404, { errorCode: 'NOT_FOUND', message: 'No such resource' });
const forbidden = (): Answer =>
  vendorError(403, { errorCode: 'FORBIDDEN', message: 'The role of the user is not enough' });

function certificateIn(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
