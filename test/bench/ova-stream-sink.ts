// A machine that takes disks over TLS and looks at none of it. It prints its port and the SHA-256 of its certificate.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from '../fakes/tls-target.ts';

const { key, cert, sha256 } = makeCertificate();
const server = createServer({ key, cert }, (request, response) => {
  request.resume().on('end', () => response.writeHead(200).end());
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port, sha256 })),
);
