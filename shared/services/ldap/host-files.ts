// What the directory does to the machine.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostFiles } from '../../platform/host/host-files.ts';
import { keyFile } from '../../platform/host/key-files.ts';
import { file, isPemLine, reads, text } from '../../platform/host/unit-files.ts';
import { isConfigLine, isListenLine, SLAPD_PIECE } from './slapd-grammar.ts';

const SLAPD = reads(SLAPD_PIECE);

export const hostFiles: HostFiles = {
  unit: 'ldap',
  files: [
    file(/^\/etc\/groundcrew\/ldap\/slapd\.ldif$/, { ...SLAPD, folds: true }, isConfigLine),
    file(/^\/etc\/groundcrew\/ldap\/listen$/, SLAPD, isListenLine),
    file(/^\/etc\/groundcrew\/ldap\/certificate\.pem$/, SLAPD, isPemLine),
    keyFile('ldap'),
    // Read by the service alone, which gains nothing by a changed file that it could not do anyway.
    text(/^\/etc\/groundcrew\/ldap-entries\/entries\.json$/, true),
  ],
  daemons: ['groundcrew-slapd.service'],
  companions: ['ldap-question'],
  programs: {},
  // Into a folder that the check made for it.
  rehearses: { slapadd: (args) => args.join(' ').startsWith(`-n 0 -F ${join(tmpdir(), 'groundcrew-slapd-')}`) },
};
