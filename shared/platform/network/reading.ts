// systemd-networkd reads the staged files in a network of its own that ends with it. Its log lines become faults.
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import {
  NETWORK_FOLDER,
  READER_DONE,
  READER_MISSING,
  READER_OUTPUT,
  READER_PATIENCE,
  readerArguments,
} from '../host/networkd.ts';

/** exec's code for a program that was ended at its time limit. */
const CODE_LATE = 124;
const READ_FOLDER = '/run/systemd/network/';
/** networkd logs these for good configurations, too. */
const HARMLESS = /Enabling GatewayOnLink= option/;

/** `unable`: why networkd could not read the files, as the end of a sentence. */
export type Reading = { faults: string[] } | { unable: string };

/** Nothing of the machine is touched. Faults name file and line: `/etc/systemd/network/x.network:5: Unknown key …`. */
export async function readFiles(host: Host, folder: string): Promise<Reading> {
  const options = { timeout: READER_PATIENCE, output: READER_OUTPUT };
  const result = await host.exec('unshare', readerArguments(folder), options);
  if (result.stdout.includes(READER_DONE)) return { faults: parseFaults(result.stdout) };
  if (result.code === 127)
    return { unable: result.stderr.includes(READER_MISSING) ? READER_MISSING : 'unshare is missing here' };
  const why = result.code === CODE_LATE ? `it did not end within ${READER_PATIENCE / 1000} s` : firstLine(result);
  return { unable: `systemd-networkd could not read the files here (${why})` };
}

/** Pure: the lines of networkd's log that are about a file. */
export function parseFaults(log: string): string[] {
  const lines = log.split('\n').filter((line) => line.includes(READ_FOLDER) && !HARMLESS.test(line));
  return [...new Set(lines.map((line) => line.trim().replaceAll(READ_FOLDER, `${NETWORK_FOLDER}/`)))];
}
