// The network check of the appliance: what has systemd-networkd read the files of a plan before anybody applies them. systemd
// starts one for each connection to a socket that only the service may open.
//
// The service may make no namespaces, and networkd is only harmless in some of its own: in a network with nothing in it, with
// files that go with it. So this program may make them, and nothing else: it runs as a user who owns no file, without any
// capability, without a network, and sees the machine read-only. Inside its namespaces it is the owner of an empty world.

import { readingSchema, readNetwork } from './network-reading.ts';
import { serve } from './serve.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

process.on('SIGTERM', () => process.stdin.destroy());
serve(process.stdin, process.stdout, { schema: readingSchema, run: readNetwork }, say).then(
  () => process.exit(0),
  (error: Error) => {
    say(`groundcrew network check: ${error.message}`);
    process.exit(1);
  },
);
