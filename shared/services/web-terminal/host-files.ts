// What the web terminal does to the machine.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostFiles } from '../../platform/host/host-files.ts';
import { file, text } from '../../platform/host/unit-files.ts';
import { isSshdLine } from './sshd-grammar.ts';

export const hostFiles: HostFiles = {
  unit: 'web-terminal',
  files: [
    // sshd reads lines of any length; ours are short.
    file(/^\/etc\/groundcrew\/terminal\/sshd_config$/, { piece: null, most: 256 }, isSshdLine),
    // Read by the service alone, which gains nothing by a changed file that it could not do anyway.
    text(/^\/etc\/groundcrew\/terminal\/manifest\.json$/, true),
  ],
  daemons: ['groundcrew-terminal.socket'],
  companions: [],
  programs: {},
  rehearses: {
    // The key of a check, in a folder that was made for it.
    'ssh-keygen': (args) => args.at(-1)?.startsWith(join(tmpdir(), 'groundcrew-sshd-')) === true,
    '/usr/sbin/sshd': (args) => args[0] === '-t',
  },
};
