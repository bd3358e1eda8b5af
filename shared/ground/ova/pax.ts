// The records of a pax extended header: `<length> <key>=<value>\n` each. (POSIX.1-2001, pax, "Extended Header".)
import { OvaFault } from './fault.ts';
import { wholeSize } from './tar-header.ts';

export interface PaxRecords {
  path: Buffer | null;
  size: number | null;
  linkpath: boolean;
  sparse: boolean;
}

/** @throws OvaFault pax_malformed, name_nul, size_negative, size_huge */
export function readPax(data: Buffer, after: string): PaxRecords {
  const records: PaxRecords = { path: null, size: null, linkpath: false, sparse: false };
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at);
    const digits = space < 0 ? '' : data.toString('latin1', at, Math.min(space, at + 8));
    const length = /^[1-9]\d{0,6}$/.test(digits) ? Number(digits) : 0;
    const end = at + length;
    const equals = data.indexOf(0x3d, space);
    if (length === 0 || end > data.length || data[end - 1] !== 0x0a || equals <= space + 1 || equals >= end) {
      throw new OvaFault('pax_malformed', after);
    }
    keep(records, data.toString('latin1', space + 1, equals), data.subarray(equals + 1, end - 1), after);
    at = end;
  }
  return records;
}

/** A second record of the same key is refused: readers differ in which one they believe. */
function keep(records: PaxRecords, key: string, value: Buffer, after: string): void {
  if (key.includes('\0')) throw new OvaFault('pax_malformed', after);
  if (key === 'path') {
    if (records.path) throw new OvaFault('pax_malformed', after);
    if (value.includes(0)) throw new OvaFault('name_nul', value.toString('latin1'));
    records.path = value;
  } else if (key === 'size') {
    if (records.size !== null) throw new OvaFault('pax_malformed', after);
    records.size = readDecimal(value.toString('latin1'), after);
  } else if (key === 'linkpath') records.linkpath = true;
  else if (key.startsWith('GNU.sparse.') || key.startsWith('SCHILY.realsize')) records.sparse = true;
}

function readDecimal(text: string, after: string): number {
  if (/^-\d{1,40}$/.test(text)) throw new OvaFault('size_negative', after);
  if (!/^\d{1,40}$/.test(text)) throw new OvaFault('pax_malformed', after);
  return wholeSize(BigInt(text), after);
}
