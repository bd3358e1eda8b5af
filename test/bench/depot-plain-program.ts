// The appliance's handler of depot files on a server without TLS, in a process of its own. What it serves, and to whom, the
// bench prepared in the data folder that the environment names. Argument: port of 127.0.0.1. Prints a line when it listens.
import { createServer } from 'node:http';
import { readConfig } from '../../runtime/config.ts';
import { depotFiles } from '../../runtime/depot-files.ts';
import { openServices } from '../../runtime/services.ts';
import { KnownAddresses } from '../../shared/kernel/access/known-addresses.ts';
import { readManifest } from '../../shared/services/offline-depot/manifest.ts';
import { DepotLogins } from '../../shared/services/offline-depot/serving/login.ts';

const services = await openServices(readConfig());
const applied = await readManifest(services.host);
const serve = depotFiles({
  services,
  logins: new DepotLogins(services.store),
  known: new KnownAddresses(),
  applied: () => applied,
  isMisdirected: () => false,
});
const server = createServer((request, response) => void serve(request, response));
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listens'));
