// Hostile archives: what tar can say that an OVA must not, each with the fault by which it has to be refused.
import { gzipSync } from 'node:zlib';
import { gnuLong, headerWithData, paxHeader, paxRecords, tarEnd, tarHeader } from '../../../setup/make-ova/tar.ts';
import { DISK, file, type Hostile, ova } from './parts.ts';

const pax = (records: [string, string][], name = 'box-disk1.vmdk', size = DISK.length): Buffer[] => [
  paxHeader(records),
  headerWithData({ name, size }, DISK),
];
const rawPax = (text: string | Buffer): Buffer[] => [
  headerWithData({ name: 'pax', type: 'x' }, Buffer.from(text as string)),
  file('y'),
];
const size = (hex: string): Buffer => Buffer.from(hex.padEnd(24, '0'), 'hex');
const sized = (field: Buffer): Buffer[] => [
  Buffer.concat([tarHeader({ name: 'box-disk1.vmdk', size_field: field }), DISK]),
];
const empty = (name: string, type: string, link = ''): Buffer => tarHeader({ name, type, link });
const many = (count: number): Buffer[] => Array.from({ length: count }, (_, n) => file(`m${n}`, ''));

export const HOSTILE_ARCHIVES: readonly Hostile[] = [
  ['an empty file', 'file_empty', () => Buffer.alloc(0)],
  ['a text', 'archive_not_tar', () => Buffer.from('not an archive\n'.repeat(100))],
  ['a short text', 'archive_not_tar', () => Buffer.from('no')],
  ['an archive of zeros only', 'descriptor_missing', () => Buffer.alloc(10_240)],
  ['a gzipped OVA', 'archive_compressed', () => gzipSync(ova())],
  ['a zip', 'archive_compressed', () => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(2000)])],
  // Truncated at each structure
  ['cut inside the first header', 'archive_not_tar', () => ova().subarray(0, 300)],
  [
    'cut inside a later header',
    'header_truncated',
    () => ova({ end: Buffer.alloc(0) }).subarray(0, -5 * 512 - 200 - 512),
  ],
  ['cut inside the data of a disk', 'member_truncated', () => ova({ end: Buffer.alloc(0) }).subarray(0, -1024)],
  [
    'cut inside the padding',
    'header_truncated',
    () => ova({ disk: [file('z', 'abc')], end: Buffer.alloc(0) }).subarray(0, -10),
  ],
  ['without its end mark', 'end_missing', () => ova({ end: Buffer.alloc(0) })],
  [
    'cut behind an extended header',
    'header_dangling',
    () => ova({ last: [paxHeader([['path', 'x']])], end: Buffer.alloc(0) }),
  ],
  ['ended behind an extended header', 'header_dangling', () => ova({ last: [gnuLong('L', 'x')] })],
  [
    'cut inside an extended header',
    'member_truncated',
    () => ova({ end: tarHeader({ name: 'p', type: 'x', size: 900 }) }),
  ],
  // What follows
  ['bytes behind the end mark', 'trailing_data', () => ova({ end: Buffer.concat([tarEnd(), Buffer.from('more')]) })],
  ['a second archive behind the end mark', 'trailing_data', () => Buffer.concat([ova(), ova()])],
  ['two MiB of zeros behind the end mark', 'trailing_data', () => ova({ end: Buffer.alloc(2 << 20) })],
  // Headers
  ['a wrong header checksum', 'header_checksum', () => ova({ last: [tarHeader({ name: 'x', checksum_off_by: 1 })] })],
  [
    'a wrong checksum of the first header',
    'header_checksum',
    () => ova({ first: [tarHeader({ name: 'x', checksum_off_by: 1 })] }),
  ],
  ['a size of letters', 'header_number', () => ova({ disk: sized(Buffer.from('0000000zz00\0')) })],
  ['no size', 'header_number', () => ova({ disk: sized(Buffer.alloc(12)) })],
  ['a huge octal size', 'member_truncated', () => ova({ disk: sized(Buffer.from('77777777777\0')) })],
  ['a negative base-256 size', 'size_negative', () => ova({ disk: sized(Buffer.alloc(12, 0xff)) })],
  ['a base-256 size of 2^62', 'size_huge', () => ova({ disk: sized(size('800000004000')) })],
  ['a base-256 size of 2^94', 'size_huge', () => ova({ disk: sized(size('bfffffffffff')) })],
  ['a base-256 size beyond the file', 'member_truncated', () => ova({ disk: sized(size('80000000000000ffffffffff')) })],
  ['a negative pax size', 'size_negative', () => ova({ disk: pax([['size', '-1']]) })],
  ['a huge pax size', 'size_huge', () => ova({ disk: pax([['size', '9'.repeat(30)]]) })],
  ['a pax size beyond the file', 'member_truncated', () => ova({ disk: pax([['size', '99999999999']]) })],
  ['a pax size other than the header’s', 'size_conflict', () => ova({ disk: pax([['size', '512']]) })],
  ['a pax size of letters', 'pax_malformed', () => ova({ disk: pax([['size', '0x20']]) })],
  ['a thousand and more members', 'members_too_many', () => ova({ last: many(1001) })],
  [
    'thousands of folders',
    'members_too_many',
    () => ova({ last: Array.from({ length: 3000 }, (_, n) => empty(`d${n}/`, '5')) }),
  ],
  ['a pax header of 100 KiB', 'headers_too_large', () => ova({ disk: pax([['comment', 'c'.repeat(100 << 10)]]) })],
  ['a long name of 8 GiB', 'headers_too_large', () => ova({ last: [tarHeader({ name: 'l', type: 'L', size: 8e9 })] })],
  [
    'two MiB of pax headers',
    'headers_too_large',
    () =>
      ova({
        last: Array.from({ length: 40 }, (_, n) => [
          paxHeader([['comment', 'c'.repeat(60_000)]]),
          file(`m${n}`),
        ]).flat(),
      }),
  ],
  [
    'pax header after pax header',
    'header_chain',
    () => ova({ last: Array.from({ length: 50 }, () => paxHeader([['comment', 'x']])) }),
  ],
  ['long name after long name', 'header_chain', () => ova({ last: [gnuLong('L', 'a'), gnuLong('L', 'b'), file('c')] })],
  ['long link after long link', 'header_chain', () => ova({ last: [gnuLong('K', 'a'), gnuLong('K', 'b'), file('c')] })],
  [
    'global headers without end',
    'header_chain',
    () => ova({ first: Array.from({ length: 9 }, () => paxHeader([['comment', 'x']], 'g')) }),
  ],
  ['a global name', 'pax_global', () => ova({ first: [paxHeader([['path', 'all']], 'g')] })],
  ['a global size', 'pax_global', () => ova({ first: [paxHeader([['size', '1']], 'g')] })],
  ['a pax record longer than its header', 'pax_malformed', () => ova({ last: rawPax('9999 path=x\n') })],
  ['a pax record of length zero', 'pax_malformed', () => ova({ last: rawPax('0 path=x\n') })],
  ['a pax record that loops back', 'pax_malformed', () => ova({ last: rawPax('-5 path=x\n') })],
  ['a pax record without its line end', 'pax_malformed', () => ova({ last: rawPax('9 path=xy') })],
  ['pax records of garbage', 'pax_malformed', () => ova({ last: rawPax(Buffer.alloc(600, 0xee)) })],
  [
    'two pax names for one member',
    'pax_malformed',
    () =>
      ova({
        last: rawPax(
          paxRecords([
            ['path', 'a'],
            ['path', 'b'],
          ]),
        ),
      }),
  ],
  ['a NUL in a pax name', 'name_nul', () => ova({ disk: pax([['path', 'box-disk1.vmdk\0.iso']]) })],
  ['a NUL in a pax key', 'pax_malformed', () => ova({ disk: pax([['pa\0th', 'x']]) })],
  // Names
  ['a name with something behind its NUL', 'name_nul', () => ova({ last: [file('safe.txt\0../../etc/passwd')] })],
  ['a NUL in a GNU long name', 'name_nul', () => ova({ last: [gnuLong('L', 'a\0b'), file('c')] })],
  ['no name', 'name_empty', () => ova({ last: [file('')] })],
  ['a name that leads upwards', 'name_traversal', () => ova({ last: [file('../../etc/cron.d/x')] })],
  ['a name that leads upwards from within', 'name_traversal', () => ova({ last: [file('a/../../b')] })],
  ['a pax name that leads upwards', 'name_traversal', () => ova({ disk: pax([['path', '../box-disk1.vmdk']]) })],
  ['a GNU long name that leads upwards', 'name_traversal', () => ova({ last: [gnuLong('L', '../x'), file('c')] })],
  [
    'a ustar prefix that leads upwards',
    'name_traversal',
    () => ova({ last: [headerWithData({ name: 'x', prefix: '..' }, DISK)] }),
  ],
  ['an absolute name', 'name_absolute', () => ova({ last: [file('/etc/passwd')] })],
  ['a name with a drive', 'name_absolute', () => ova({ last: [file('C:/boot.ini')] })],
  ['a name with a backslash', 'name_backslash', () => ova({ last: [file('..\\..\\boot.ini')] })],
  ['a name with an escape sequence', 'name_control', () => ova({ last: [file('a\u001b[2Jb')] })],
  ['a name that turns its direction', 'name_control', () => ova({ last: [file('kmdv.\u202eexe')] })],
  [
    'a name that is not UTF-8',
    'name_encoding',
    () => ova({ last: [headerWithData({ name: Buffer.from([0x61, 0xff, 0xfe]) }, DISK)] }),
  ],
  ['a name of 300 characters', 'name_too_long', () => ova({ last: [gnuLong('L', 'n'.repeat(300)), file('c')] })],
  ['a name of 60000 characters', 'name_too_long', () => ova({ last: [gnuLong('L', 'n'.repeat(60_000)), file('c')] })],
  ['the same name twice', 'name_duplicate', () => ova({ last: [file('box-disk1.vmdk', DISK)] })],
  ['the same name as ./name', 'name_duplicate', () => ova({ last: [file('./box-disk1.vmdk', DISK)] })],
  ['a file and a folder of one name', 'name_case_twin', () => ova({ last: [empty('box-disk1.vmdk/', '5')] })],
  ['names that differ in case', 'name_case_twin', () => ova({ last: [file('BOX-disk1.vmdk', DISK)] })],
  [
    'names that differ in their normal form',
    'name_case_twin',
    () => ova({ last: [file('caf\u00e9'), file('cafe\u0301')] }),
  ],
  // Kinds
  ['a symbolic link', 'member_symlink', () => ova({ last: [empty('l', '2', '/etc/shadow')] })],
  ['a symbolic link as the disk', 'member_symlink', () => ova({ disk: [empty('box-disk1.vmdk', '2', '/dev/sda')] })],
  ['a link by pax', 'member_symlink', () => ova({ last: [paxHeader([['linkpath', '/etc/shadow']]), file('l')] })],
  ['a link by GNU long link', 'member_symlink', () => ova({ last: [gnuLong('K', '/etc/shadow'), file('l')] })],
  ['a hard link', 'member_hardlink', () => ova({ last: [empty('l', '1', 'box.ovf')] })],
  ['a character device', 'member_device', () => ova({ last: [empty('zero', '3')] })],
  ['a block device', 'member_device', () => ova({ last: [empty('sda', '4')] })],
  ['a named pipe', 'member_fifo', () => ova({ last: [empty('pipe', '6')] })],
  ['a sparse file of GNU tar', 'member_sparse', () => ova({ last: [empty('s', 'S')] })],
  [
    'a sparse file by pax',
    'member_sparse',
    () =>
      ova({
        disk: pax([
          ['GNU.sparse.major', '1'],
          ['GNU.sparse.realsize', '999999999999'],
        ]),
      }),
  ],
  ['a volume of several', 'member_kind', () => ova({ last: [empty('m', 'M')] })],
  ['an unknown kind', 'member_kind', () => ova({ last: [empty('q', 'Z')] })],
  ['a folder with content', 'member_kind', () => ova({ last: [headerWithData({ name: 'd/', type: '5' }, DISK)] })],
];
