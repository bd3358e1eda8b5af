// One life of an appliance that is killed at a random moment of its mutations: it checks what the lives before it left
// behind against what they acknowledged, then mutates without pause and acknowledges each answer on standard output.
// Arguments: data folder, file of acknowledgements so far, number of this life.
import { readFileSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { startAppliance } from '../../runtime/appliance.ts';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { refreshInterfaces } from '../../shared/appliance/edits/refresh-interfaces.ts';
import { hashPassword } from '../../shared/kernel/access/password.ts';
import { scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import { createToken } from '../../shared/kernel/access/token.ts';
import { createUser } from '../../shared/kernel/access/user.ts';
import { verifyAudit } from '../../shared/kernel/audit/audit.ts';
import { LINKS } from '../setup/house.ts';

const BULK = 5;
/** The whole chain of the audit log is walked in each of so many lives; its counts are compared in every one. */
const WALK_EVERY = 25;

const [data = '', acknowledged = '', life = '0'] = process.argv.slice(2);
const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
const { store } = services;
const listen = { host: '127.0.0.1', port: 0 };
const appliance = await startAppliance({
  services,
  assets: { manifest: {}, serve: () => false },
  listen,
  public_listen: null,
  tls: null,
});

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

function say(line: string): void {
  for (let left = Buffer.from(`${line}\n`); left.length > 0; ) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      // The pipe is full: whoever reads it is slower than the mutations.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(PAUSE, 0, 0, 1);
    }
  }
}

const token = life === '0' ? await found() : readFileSync(`${data}/token`, 'utf8');
if (life === '0') flushCompileCache();
else say(`verdict ${JSON.stringify(await verdict())}`);
say(`ready ${life === '0' ? token : ''}`);
for (let n = 0; ; n++) await mutate(`${life}-${n}`, n);

async function found(): Promise<string> {
  const password_hash = await hashPassword('correct horse battery');
  const secret = await store.write(async (tx) => {
    await refreshInterfaces(tx, services, LINKS);
    const user = await createUser(tx, services, { name: 'admin', role: 'admin', password_hash });
    const owner = { user_id: user.id, name: user.name, scopes: scopesOfRole('admin') };
    return (await createToken(tx, services, owner, { name: 'first', scopes: [...owner.scopes], lifetime: 86_400 }))
      .secret;
  });
  await send('POST', '/api/v1/dns/zones', { name: 'lab.example' }, secret);
  return secret;
}

async function mutate(id: string, n: number): Promise<void> {
  const kind = n % 3;
  if (kind === 0) {
    const answer = await send('PATCH', '/api/v1/interfaces/physical/ens224', { mtu: 1400 + (n % 90) });
    say(`revision ${(answer as { revision: number }).revision}`);
  } else if (kind === 1) {
    const records = Array.from({ length: BULK }, (_, i) => ({
      fqdn: `r${id}-${i}.lab.example`,
      type: 'A',
      value: `10.1.2.${i + 1}`,
    }));
    await send('POST', '/api/v1/dns/records/bulk', { records });
    say(`bulk r${id}`);
  } else {
    await send('POST', '/api/v1/tokens', { name: `t${id}`, scopes: ['read:dns'] });
    say(`token t${id}`);
  }
}

async function send(method: string, path: string, body: unknown, bearer = token): Promise<unknown> {
  const answer = await appliance.answer({
    version: '2.0',
    routeKey: '',
    rawPath: path,
    rawQueryString: '',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', host: 'localhost' },
    cookies: [],
    queryStringParameters: {},
    pathParameters: {},
    requestContext: {
      http: { method, path, sourceIp: '127.0.0.1', protocol: 'HTTP/1.1', userAgent: '' },
      requestId: '',
      secure: false,
    },
    body: JSON.stringify(body),
    isBase64Encoded: false,
  });
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`);
  return JSON.parse(answer.body);
}

/** What is lost, what is half there, and whether each effect has its audit row. */
async function verdict() {
  const acks = readFileSync(acknowledged, 'utf8').split('\n').filter(Boolean);
  const of = (kind: string) =>
    acks.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));
  const groups = await store.all<{ name: string; n: number }>(
    "SELECT substr(fqdn, 1, length(fqdn) - length('-0.lab.example')) AS name, count(*) AS n FROM dns_record GROUP BY name",
  );
  const bulks = new Set(groups.map((group) => group.name));
  const tokens = new Set((await store.all<{ name: string }>('SELECT name FROM api_token')).map((row) => row.name));
  const [port] = await store.all<{ revision: number }>("SELECT revision FROM interface WHERE name = 'ens224'");
  const events = await store.all<{ action: string; n: number }>(
    'SELECT action, count(*) AS n FROM audit_event WHERE detail NOT LIKE \'%"changed":[]%\' GROUP BY action',
  );
  const audited = new Map(events.map((event) => [event.action, event.n]));
  const [check] = await store.all<{ integrity_check: string }>('PRAGMA integrity_check');
  const walk = Number(life) % WALK_EVERY === 0 ? (await verifyAudit(store, services.keys)).fault : null;
  return {
    lost: [
      ...of('bulk').filter((name) => !bulks.has(name)),
      ...of('token').filter((name) => !tokens.has(name)),
      ...of('revision').filter((revision) => Number(revision) > (port?.revision ?? 0)),
    ],
    half: groups.filter((group) => group.n !== BULK).map((group) => group.name),
    audit: {
      bulks: bulks.size - (audited.get('dns.record.create_many') ?? 0),
      // The first token was made without the API.
      tokens: tokens.size - 1 - (audited.get('token.create') ?? 0),
      revisions: (port?.revision ?? 1) - 1 - (audited.get('network.interface.update') ?? 0),
    },
    integrity: check?.integrity_check,
    chain: walk,
  };
}
