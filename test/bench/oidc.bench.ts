// Tokens a second of the OpenID Connect provider, with its people and clients, codes and tokens in the database, sealed and written
// through to the disk, beside the bare library with its adapter of a Map. Each token is a whole code flow of somebody who is signed
// in: authorize, code, ID token with an RS256 signature. In turns, over TLS, visitors in a process of their own.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Provider, { type Configuration } from 'oidc-provider';
import { usersOfAppliance } from '../../runtime/oidc-people.ts';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { subjectOf } from '../../shared/kernel/access/subject.ts';
import { createUser } from '../../shared/kernel/access/user.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { createClient } from '../../shared/services/oidc/clients/clients.ts';
import { ensureKeys, newKeyPem, openKeys } from '../../shared/services/oidc/keys/signing-keys.ts';
import { makeIdentity } from '../../shared/services/oidc/provider/provider.ts';
import { selfSigned } from '../setup/self-signed.ts';
import { openSide } from '../setup/vault-scene.ts';

const VISITORS = Number(process.env.OIDC_VISITORS ?? 8);
const ROUNDS = 3;
const ROUND_MS = 4_000;
const FLOOR = 0.5;
const ISSUER = 'https://id.lab.example/identity';
const CALLBACK = 'https://app.lab.example/callback';
const SECONDS = { access_token_seconds: 3_600, id_token_seconds: 3_600, code_seconds: 60 };

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-oidc-bench-'));
const nothing = () => undefined;
const side = await openSide(folder);
const logger = { error: console.error, warn: console.error, info: nothing };
const services = { ...side, logger } as unknown as Services;
const { store } = services;
const write = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => store.write(work);

const pems = [await newKeyPem(), await newKeyPem()] as const;
await write((tx) => ensureKeys(tx, services, pems));
const user = await write((tx) => createUser(tx, services, { name: 'ada', role: 'admin', password_hash: 'none' }));
const wanted = {
  name: 'Bench',
  preset: 'generic',
  source: 'appliance',
  organization: '',
  requires_pkce: false,
} as const;
const uris = { redirect_uris: [CALLBACK] };
const { client, client_secret } = await write((tx) => createClient(tx, services, user.id, { ...wanted, ...uris }));
const keys = await openKeys(store, services);

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;
const { certificate: cert, private_key: key } = selfSigned('id.lab.example');

/** Cuts the path of the issuer, and lets `signsIn` answer for the sign-in page. */
function served(handle: Answer, signsIn: Answer): Promise<Server> {
  const server = createServer({ cert, key }, (request, response) => {
    const { url = '' } = request;
    Object.assign(request, { originalUrl: url, url: url.slice('/identity'.length) });
    void (url.includes('/interaction/') ? signsIn : handle)(request, response);
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

const sub = subjectOf(user.id);
const page = () => '';
const manifest = { version: 1 as const, listeners: [], hostname: 'id.lab.example', issuer: ISSUER, ...SECONDS };
const people = usersOfAppliance(services);
const identity = makeIdentity({
  ...{ services, manifest, keys, people: { appliance: people, directory: people } },
  ...{
    policy: () => "default-src 'none'",
    pages: { error: page, signOut: page, signedOut: page },
    probe_secret: 'none',
  },
});
const person = (await people.find('', sub))!;
const ours = await served(identity.handle, (request, response) =>
  identity.signIn(request, response, { person, amr: ['pwd'], ended: null }),
);

// The same answers, from what the library brings along.
const library = new Provider(ISSUER, {
  clients: [{ client_id: client.id, client_secret, redirect_uris: [CALLBACK], response_types: ['code'] }],
  jwks: { keys },
  cookies: { keys: ['of the bench'] },
  claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'updated_at'], groups: ['groups'] },
  conformIdTokenClaims: false,
  responseTypes: ['code'],
  pkce: { required: () => false },
  features: { devInteractions: { enabled: false } },
  ttl: { AccessToken: 3_600, AuthorizationCode: 60, IdToken: 3_600, Grant: 43_200, Session: 43_200, Interaction: 600 },
  interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/identity/interaction/${uid}` },
  findAccount: (_ctx: unknown, accountId: string) => ({
    accountId,
    claims: () => ({ sub: accountId, name: 'ada', preferred_username: 'ada', groups: ['admin'] }),
  }),
  async loadExistingGrant(ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) {
    const { clientId } = ctx.oidc.client;
    const grant = new library.Grant({ clientId, accountId: ctx.oidc.session.accountId });
    grant.addOIDCScope('openid profile groups');
    await grant.save();
    return grant;
  },
} as unknown as Configuration);
const callback = library.callback();
const bare = await served(callback, (request, response) =>
  library.interactionFinished(request, response, { login: { accountId: sub, remember: true } }),
);

/** Tokens a second, and milliseconds of processor that each cost here. */
const visit = async (server: Server): Promise<{ rate: number; cost: number }> => {
  const before = process.cpuUsage();
  const { port } = server.address() as AddressInfo;
  const words = [port, client.id, client_secret, VISITORS, ROUND_MS].map(String);
  const program = join(import.meta.dirname, 'oidc-visitor.ts');
  const rate = Number((await promisify(execFile)(process.execPath, ['--no-warnings', program, ...words])).stdout);
  const { user, system } = process.cpuUsage(before);
  return { rate, cost: (user + system) / 1000 / (rate * (ROUND_MS / 1000) + VISITORS) };
};

const median = (figures: number[]): number => figures.sort((a, b) => a - b)[figures.length >> 1]!;
try {
  const [own, other]: { rate: number; cost: number }[][] = [[], []];
  await visit(ours);
  await visit(bare);
  for (let round = 0; round < ROUNDS; round += 1) {
    own!.push(await visit(ours));
    other!.push(await visit(bare));
  }
  const [a, b] = [own!, other!].map((figures) => median(figures.map(({ rate }) => rate))) as [number, number];
  const costs = [own!, other!].map((figures) => median(figures.map(({ cost }) => cost)).toFixed(1));
  console.log(`${VISITORS} visitors, each token a code flow: ${a.toFixed(0)} a second, durable and sealed`);
  console.log(`oidc-provider with its adapter of a Map: ${b.toFixed(0)} a second`);
  console.log(`milliseconds of processor each: ${costs[0]} and ${costs[1]}`);
  console.log(`ratio ${(a / b).toFixed(2)}, floor ${FLOOR}`);
  if (a / b < FLOOR) process.exitCode = 1;
} finally {
  for (const server of [ours, bare]) {
    server.close();
    server.closeAllConnections();
  }
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
