// The files that units put on the appliance: whose each one is, who reads it, and what each line of it may be. Nothing that
// a person wrote stands in one that a daemon reads, but what the daemon is to tell others: texts of DNS and DHCP, in ASCII.
import { normalize } from 'node:path';
import type { UnitId } from '../unit-names.ts';
import { CHRONY_PIECE, isChronyLine, isSource } from './chrony-grammar.ts';
import {
  DNSMASQ_PIECE,
  isBootDirective,
  isDirective,
  isHostsLine,
  isLease,
  isOption,
  isReservation,
} from './dnsmasq-grammar.ts';
import type { Line } from './grammar-words.ts';
import { isNetworkdLine, NETWORKD_PIECE } from './networkd-grammar.ts';
import { isNftLine, NFT_MOST } from './nft-grammar.ts';

/** How a daemon takes a file apart. */
export interface Reader {
  /** Bytes that it takes of a line at once; what is beyond, it may read as a line of its own. Null: it reads on. */
  piece: number | null;
  /** Bytes that a line may have here, without the one that ends it. */
  most: number;
}

const reads = (piece: number): Reader => ({ piece, most: piece - 1 });
const DNSMASQ = reads(DNSMASQ_PIECE);
const CHRONYD = reads(CHRONY_PIECE - 1);
/** Nothing of the unit comes near what it could read. */
const NETWORKD: Reader = { piece: NETWORKD_PIECE, most: 1_023 };
const NFT: Reader = { piece: null, most: NFT_MOST };
/** It takes word after word; a hundred thousand names may have one address. */
const NAMES: Reader = { piece: null, most: 32 << 20 };

export interface UnitFile {
  unit: UnitId;
  path: RegExp;
  /** False: made when the unit is put in force, and no part of what is reviewed. */
  rendered: boolean;
  /** Null: no daemon reads it, and it may hold any text. */
  read: { by: Reader; line: Line } | null;
}

const file = (unit: UnitId, path: RegExp, by: Reader, line: Line): UnitFile => ({
  unit,
  path,
  rendered: true,
  read: { by, line },
});
const text = (unit: UnitId, path: RegExp, rendered: boolean): UnitFile => ({ unit, path, rendered, read: null });

export const UNIT_FILES: readonly UnitFile[] = [
  file(
    'network',
    /^\/etc\/systemd\/network\/40-groundcrew-\w[\w.@+-]{0,30}\.(?:network|netdev)$/,
    NETWORKD,
    isNetworkdLine,
  ),
  file('firewall', /^\/etc\/groundcrew\/nftables\/groundcrew\.nft$/, NFT, isNftLine),
  file('dns-dhcp', /^\/etc\/groundcrew\/dnsmasq\/dnsmasq\.conf$/, DNSMASQ, isDirective),
  file('dns-dhcp', /^\/etc\/groundcrew\/dnsmasq\/hosts\/records$/, NAMES, isHostsLine),
  file('dns-dhcp', /^\/etc\/groundcrew\/dnsmasq\/dhcp\/reservations$/, DNSMASQ, isReservation),
  file('dns-dhcp', /^\/etc\/groundcrew\/dnsmasq\/dhcp\/options$/, DNSMASQ, isOption),
  // dnsmasq's own: what its clients sent is in it. It is written without some of its lines while dnsmasq is stopped.
  { ...file('dns-dhcp', /^\/var\/lib\/groundcrew\/dnsmasq\/leases$/, DNSMASQ, isLease), rendered: false },
  file('ntp', /^\/etc\/groundcrew\/chrony\/chrony\.conf$/, CHRONYD, isChronyLine),
  file('ntp', /^\/etc\/groundcrew\/chrony\/sources\/groundcrew\.sources$/, CHRONYD, isSource),
  file('network-boot', /^\/etc\/groundcrew\/dnsmasq\.d\/network-boot\.conf$/, DNSMASQ, isBootDirective),
  // Read by nobody: they say to whoever looks what the folders are for.
  text('network-boot', /^\/etc\/groundcrew\/dnsmasq\.d\/README$|^\/var\/lib\/groundcrew\/tftp\/README$/, false),
  // Read by the service alone, which may then serve nothing that it could not serve anyway.
  text('network-boot', /^\/etc\/groundcrew\/network-boot\/manifest\.json$/, true),
  text('private-cloud-services', /^\/etc\/groundcrew\/offline-depot\/manifest\.json$/, true),
];

/** The file that lies at a path; null where no unit has one. */
export function unitFile(path: string): UnitFile | null {
  // It may come from what somebody else wrote down.
  if (typeof path !== 'string' || normalize(path) !== path) return null;
  return UNIT_FILES.find((each) => each.path.test(path)) ?? null;
}

/** ASCII: a byte is a character, for whoever counts either. */
const PRINTABLE = /^[\t\x20-\x7e]*$/;
/** Without a backslash, by which a line could go on in the next one. */
const COMMENT = /^[\t ]*(?:#[\x20-\x5b\x5d-\x7e]*)?$/;
/** JSON leaves these control characters as they are. */
const ANY_TEXT = /^[\t\x20-\u{10ffff}]*$/u;

/** The number of the first line, from 1, that may not stand in the file; null when all may. Pure. */
export function strangeLine({ read }: UnitFile, content: string): number | null {
  const at = { section: '' };
  const fits = (line: string): boolean => {
    if (read === null) return ANY_TEXT.test(line);
    return PRINTABLE.test(line) && line.length <= read.by.most && (COMMENT.test(line) || read.line(line, at));
  };
  const strange = content.split('\n').findIndex((line) => !fits(line));
  return strange < 0 ? null : strange + 1;
}
