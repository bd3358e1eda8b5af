// A file as its reader takes it, and what is wrong with one that the guard of the root programs let through.

import { unitFile } from '../../shared/appliance/host-guard.ts';
import type { RenderedFile } from '../../shared/ground/machine/host.ts';
import { strangeLine } from '../../shared/platform/host/unit-files.ts';

/** As the reader takes it: line by line, and of a line no more than its buffer holds. */
function pieces({ path, content: text }: RenderedFile): string[] {
  const piece = unitFile(path)?.read?.by.piece ?? null;
  return text.split('\n').flatMap((line) => {
    // fgets takes the end of the line as well, where it has room for it.
    const bytes = Buffer.from(`${line}\n`);
    if (piece === null || bytes.length <= piece) return [line];
    const parts = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) =>
      bytes.subarray(at * piece, (at + 1) * piece),
    );
    return parts.map((part) => part.toString('utf8').replace(/\n$/, ''));
  });
}

/** Directives of dnsmasq.conf(5) that run something or read something, and the only value that each may have here. */
const REACHING: Readonly<Record<string, string>> = {
  'pid-file': '/run/groundcrew/dnsmasq.pid',
  'addn-hosts': '/etc/groundcrew/dnsmasq/hosts/records',
  'servers-file': '/etc/groundcrew/dnsmasq/servers',
  'dhcp-leasefile': '/var/lib/groundcrew/dnsmasq/leases',
  'dhcp-hostsfile': '/etc/groundcrew/dnsmasq/dhcp/reservations',
  'dhcp-optsfile': '/etc/groundcrew/dnsmasq/dhcp/options',
  'tftp-root': '/var/lib/groundcrew/tftp',
};
const REACHES =
  /script|lua|file|dir$|^conf|hosts|^user$|^group$|^log-facility|^dumpmask|^tftp-root|^dbus|^enable-[du]bus|^keep|^trust/;

/** What is wrong with a file that passed; null when nothing is. */
export function fault(file: RenderedFile): string | null {
  const known = unitFile(file.path)!;
  if (known.read === null) return null;
  let section = '';
  for (const piece of pieces(file)) {
    // A section counts until the next one.
    if (piece.startsWith('[')) section = piece;
    const judged = section === '' || piece === section ? piece : `${section}\n${piece}`;
    if (strangeLine(known, judged) !== null) return `a piece that is no line: ${piece}`;
    const [name = '', value = ''] = piece.split(/=(.*)/s);
    if (!file.path.endsWith('.conf') || !file.path.includes('dnsmasq') || piece.startsWith('#')) continue;
    if (REACHES.test(name) && REACHING[name] !== value && !['no-hosts'].includes(name))
      return `it reaches out: ${piece}`;
  }
  return null;
}
