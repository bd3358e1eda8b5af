// The network check of the appliance: has systemd-networkd read the files of a plan before it is applied. systemd
// starts one process for each connection to a socket that only the service may open.
//
// networkd is harmless only in namespaces of its own, with an empty network and temporary files, and the service may
// not make namespaces. This program may make them, and nothing else: it runs as a user who owns no file, without
// capabilities, without a network, and sees the machine read-only.

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
