// Create and Get over TLS, beside a bare TLS server that writes as many bytes to the same kind of database and echoes: what the
// protocol, the sealing, the audit row and the lookup of the client cost. Connections are kept; KEYS keys are there before.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { startKmsListener } from '../../runtime/kms-listener.ts';
import { instant } from '../../shared/ground/clock.ts';
import { Trace } from '../../shared/services/kms/serving/trace.ts';
import { readClientCertificate } from '../../shared/services/kms/trust/client-certificate.ts';
import { addClient } from '../../shared/services/kms/trust/clients.ts';
import { asked, CREATE, idIn, named, read, request } from '../setup/kmip-messages.ts';
import { addProvider, ask, openKms, PROVIDER } from '../setup/kms-side.ts';
import { selfSigned } from '../setup/self-signed.ts';

const KEYS = Number(process.env.KMS_KEYS ?? 10_000);
const CONNECTIONS = Number(process.env.KMS_CONNECTIONS ?? 200);
const EACH = 5;

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-kms-bench-'));
const side = await openKms(folder);
await addProvider(side);
const server = selfSigned('kms.lab.example');
const client = selfSigned('vc01.lab.example');
const certificate = readClientCertificate(client.certificate, instant(side.clock.now()));
const trusted = { provider_id: PROVIDER.id, name: 'vc01', origin: 'uploaded', certificate, by: 'bench' } as const;
await side.store.write((tx) => addClient(tx, side, trusted));
const create = request([{ operation: 'Create', payload: CREATE }]);
const ids: string[] = [];
const filling = performance.now();
for (let made = 0; made < KEYS; made++) ids.push(idIn(read(await ask(side, create))));
console.log(`${KEYS} keys without TLS: ${Math.round(KEYS / ((performance.now() - filling) / 1000))} a second`);

const shown = { cert: server.certificate, key: server.private_key };
const listener = await startKmsListener({
  services: side,
  trace: new Trace(side),
  listen: { host: '127.0.0.1', port: 0 },
  shown,
  known: { has: () => true },
  probe: () => null,
  refused: () => undefined,
  met: () => undefined,
});

// The same commit: one row of as many bytes.
await side.store.write((tx) => tx.run('CREATE TABLE bare (id INTEGER PRIMARY KEY, value TEXT NOT NULL) STRICT'));
const bare = createServer({ ...shown, requestCert: true, rejectUnauthorized: false }, (socket) => {
  socket
    .on('error', () => undefined)
    .on('data', async (bytes: Buffer) => {
      if (bytes.length > 150)
        await side.store.write((tx) => tx.run('INSERT INTO bare (value) VALUES (?)', ['x'.repeat(600)]));
      socket.write(bytes);
    });
});
await new Promise<void>((done) => bare.listen(0, '127.0.0.1', done));

const open = (port: number): Promise<TLSSocket> =>
  new Promise((done, fail) => {
    const options = { cert: client.certificate, key: client.private_key, rejectUnauthorized: false };
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, ...options }, () => done(socket)).on('error', fail);
  });
const echoed = (socket: TLSSocket, bytes: Buffer): Promise<unknown> =>
  new Promise((done) => {
    socket.once('data', done);
    socket.write(bytes);
  });

async function rate(port: number, send: (socket: TLSSocket) => Promise<unknown>): Promise<number> {
  const sockets: TLSSocket[] = [];
  for (let at = 0; at < CONNECTIONS; at++) sockets.push(await open(port));
  const began = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      for (let at = 0; at < EACH; at++) if ((await send(socket)) === null) throw new Error('closed');
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const socket of sockets) socket.destroy();
  return (CONNECTIONS * EACH) / seconds;
}

const get = (id: string) => request([{ operation: 'Get', payload: [named(id)] }]);
let at = 0;
const barePort = (bare.address() as { port: number }).port;
// The first giving of a key to a client is on the disk before the answer; later ones are not waited for.
for (const [what, next] of [
  ['Create', () => create],
  ['First Get', () => get(ids[at++ % ids.length]!)],
  ['Get', () => get(ids[0]!)],
] as const) {
  const message = next();
  const ours = await rate(listener.address.port, (socket) => asked(socket, next()));
  const theirs = await rate(barePort, (socket) => echoed(socket, message));
  const ratio = (theirs / ours).toFixed(1);
  console.log(
    `${what}, ${CONNECTIONS} connections: ${Math.round(ours)} a second; bare ${Math.round(theirs)} (${ratio} ×)`,
  );
}
console.log(`resident: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`);
bare.close();
await listener.stop(0);
await side.store.close();
rmSync(folder, { recursive: true, force: true });
