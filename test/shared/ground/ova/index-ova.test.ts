// OVAs that are in order: as real tar writes them, as our builder does, and with everything that is legal but rare.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { indexOva } from '../../../../shared/ground/ova/index-ova.ts';
import { openMember } from '../../../../shared/ground/ova/open.ts';
import type { OvaPackage } from '../../../../shared/ground/ova/types.ts';
import { uploadMembers } from '../../../../shared/ground/ova/uploads.ts';
import { verifyOva } from '../../../../shared/ground/ova/verify-ova.ts';
import { signers } from '../../../setup/make-ova/sign.ts';
import { headerWithData, paxHeader, tarEnd, tarHeader } from '../../../setup/make-ova/tar.ts';
import { makeOva, type OvaRecipe } from '../../../setup/make-ova.ts';
import { DISK, file, ova, type Parts } from './parts.ts';

const run = promisify(execFile);

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groundcrew-ova-'));
  path = join(folder, 'sound.ova');
});
afterAll(() => rm(folder, { recursive: true }));
const signed = (manifest: string, name: string): string =>
  `SHA256(${name})= ${signers().sign('alone', manifest)}\n${signers().alone}`;

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const names = ({ members }: OvaPackage): string[] => members.map(({ name }) => name);

async function content(of: OvaPackage, name: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of openMember(of, name)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

describe('as real tar writes them', () => {
  /** The parts of a sound OVA as files, the disk in a folder of a long name. */
  async function unpacked(disk: string): Promise<string> {
    const from = await mkdtemp(join(folder, 'unpacked-'));
    const xml = (await descriptorOf()).replace('box-disk1.vmdk', disk);
    await mkdir(join(from, disk, '..'), { recursive: true });
    await writeFile(join(from, 'box.ovf'), xml);
    await writeFile(join(from, disk), DISK);
    await writeFile(join(from, 'box.mf'), `SHA256(box.ovf)= ${sha256(xml)}\nSHA256(${disk})= ${sha256(DISK)}\n`);
    return from;
  }
  async function descriptorOf(): Promise<string> {
    await writeFile(path, ova());
    return (await indexOva(path)).descriptor_xml;
  }
  const LONG = `${'f'.repeat(90)}/${'n'.repeat(90)}.vmdk`;

  test.each([
    ['ustar', 'box-disk1.vmdk'],
    ['ustar', LONG],
    ['gnu', 'box-disk1.vmdk'],
    ['gnu', LONG],
    ['pax', 'größer als zuvor (1).vmdk'],
    ['pax', LONG],
    ['v7', 'box-disk1.vmdk'],
  ])('%s, disk %s', async (format, disk) => {
    const from = await unpacked(disk);
    await run('tar', [`--format=${format}`, '-C', from, '-cf', path, 'box.ovf', 'box.mf', disk]);
    const sound = await verifyOva(path);
    expect(names(sound)).toEqual(['box.ovf', 'box.mf', disk]);
    expect(await content(sound, disk)).toEqual(DISK);
  });

  test('a whole folder, with entries for folders and ./ before each name', async () => {
    const from = await unpacked('disks/one.vmdk');
    await run('tar', ['-C', from, '--sort=name', '-cf', path, '.']);
    expect(names(await verifyOva(path)).sort()).toEqual(['box.mf', 'box.ovf', 'disks/one.vmdk']);
  });

  test.each([
    ['a symbolic link', 'member_symlink', (at: string) => run('ln', ['-s', '/etc/passwd', join(at, 'extra')])],
    ['a hard link', 'member_hardlink', (at: string) => run('ln', [join(at, 'box.ovf'), join(at, 'extra')])],
    ['a named pipe', 'member_fifo', (at: string) => run('mkfifo', [join(at, 'extra')])],
    ['a sparse file', 'member_sparse', (at: string) => run('truncate', ['-s', '1M', join(at, 'extra')])],
  ])('%s in it is refused', async (_, fault, make) => {
    const from = await unpacked('box-disk1.vmdk');
    await make(from);
    for (const format of ['gnu', 'pax']) {
      const all = ['box.ovf', 'box.mf', 'box-disk1.vmdk', 'extra'];
      await run('tar', ['-S', `--format=${format}`, '-C', from, '-cf', path, ...all]);
      await expect(indexOva(path)).rejects.toMatchObject({ fault });
    }
  });
});

describe('as a builder writes them', () => {
  const RECIPES: [string, Omit<OvaRecipe, 'path'>][] = [
    ['ustar', { format: 'ustar' }],
    ['gnu', { format: 'gnu' }],
    ['pax', { format: 'pax' }],
    ['SHA-1', { algorithm: 'sha1' }],
    ['SHA-512', { algorithm: 'sha512' }],
    ['CRLF and spaces in the manifest', { manifest_line: (kind, name, hex) => `${kind} (${name}) = ${hex}\r\n` }],
    ['digests in capitals', { manifest_line: (kind, name, hex) => `${kind}(${name})=${hex.toUpperCase()}\n` }],
    ['brackets in a name', { disks: [{ size: 3000, name: 'disk (copy) (2).vmdk' }] }],
    ['manifest at the end', { manifest_last: true }],
    ['a signature', { certificate: signed }],
    ['a signature of a manifest at the end', { certificate: signed, manifest_last: true }],
    ['no disk', { disks: [] }],
    ['three disks', { disks: [{ size: 1 }, { size: 512 }, { size: 3 << 20 }] }],
    ['chunks', { disks: [{ size: (5 << 20) / 2, chunk_size: 1 << 20 }] }],
    ['chunks that fit exactly', { disks: [{ size: 2 << 20, chunk_size: 1 << 20 }] }],
    ['a byte order mark', { descriptor: (xml) => `\ufeff${xml}` }],
  ];
  test.each(RECIPES)('%s', async (_, recipe) => {
    const made = await makeOva({ path, ...recipe });
    const seen: [number, number][] = [];
    const sound = await verifyOva(path, { onProgress: (done, total) => seen.push([done, total]) });
    const payload = sound.members.filter(({ name }) => !/\.(?:mf|cert)$/.test(name));
    expect(payload.map(({ name, size }) => [name, size])).toEqual(made.members.map(({ name, size }) => [name, size]));
    for (const { name, hex } of made.members) expect(sound.manifest.get(name)?.hex).toBe(hex);
    const total = made.members.reduce((sum, { size }) => sum + size, 0);
    expect(seen.at(-1)).toEqual([total, total]);
    expect(seen).toEqual([...seen].sort(([a], [b]) => a - b));
    expect(sound).toMatchObject({ path, size: made.size, mtime_ms: (await stat(path)).mtimeMs });
    expect(sound.certificate !== null).toBe(recipe.certificate !== undefined);
    expect(sound.signature !== null).toBe(recipe.certificate !== undefined);
    expect(sound.descriptor_xml).toBe(made.descriptor_xml.replace('\ufeff', ''));
    expect(await indexOva(path)).toEqual(sound);
    const { stdout } = await run('tar', ['-tf', path]);
    expect(stdout.trim().split('\n')).toEqual(names(sound));
  });

  test('members come as they are, in pieces of a MiB', async () => {
    const bytes = randomBytes((2 << 20) + 77);
    const made = await makeOva({ path, disks: [{ bytes }] });
    const sound = await indexOva(path);
    const sizes: number[] = [];
    const hash = createHash('sha256');
    for await (const piece of openMember(sound, made.members[1]?.name ?? '')) {
      sizes.push((piece as Buffer).length);
      hash.update(piece);
    }
    expect(sizes).toEqual([1 << 20, 1 << 20, 77]);
    expect(hash.digest('hex')).toBe(sha256(bytes));
    expect(() => openMember(sound, '../other')).toThrow('no such member');
  });

  test('an upload that is dropped half way closes the file', async () => {
    const made = await makeOva({ path, disks: [{ size: 4 << 20 }] });
    const stream = openMember(await indexOva(path), made.members[1]?.name ?? '');
    for await (const _ of stream) break;
    expect(stream.destroyed).toBe(true);
  });

  test('verification ends at once when it is cancelled', async () => {
    await makeOva({ path, disks: [{ size: 8 << 20 }] });
    const cancel = new AbortController();
    let seen = 0;
    const onProgress = (done: number): void => {
      seen = done;
      if (done > 2 << 20) cancel.abort(new Error('stopped by hand'));
    };
    await expect(verifyOva(path, { signal: cancel.signal, onProgress })).rejects.toThrow('stopped by hand');
    expect(seen).toBeLessThan(4 << 20);
    await expect(indexOva(path, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  });

  test('the files to upload, in the order of the references', async () => {
    const packed = gzipSync(DISK);
    const made = await makeOva({
      path,
      disks: [
        { size: 2500, chunk_size: 1000, name: 'b.vmdk' },
        { bytes: packed, compression: 'gzip', name: 'a.gz' },
      ],
    });
    const sound = await verifyOva(path);
    const uploads = uploadMembers(sound);
    expect(uploads.map(({ members, ...rest }) => [rest, members.map(({ name }) => name)])).toEqual([
      [
        { file_id: 'file1', href: 'b.vmdk', size: 2500, compression: null },
        ['b.vmdk.000000000', 'b.vmdk.000000001', 'b.vmdk.000000002'],
      ],
      [{ file_id: 'file2', href: 'a.gz', size: packed.length, compression: 'gzip' }, ['a.gz']],
    ]);
    expect(gunzipSync(await content(sound, 'a.gz'))).toEqual(DISK);
    expect(made.members.map(({ name }) => name)).toContain('b.vmdk.000000002');
  });
});

describe('legal, but rare', () => {
  const LEGAL: [string, Parts][] = [
    ['one zero block as the end', { end: Buffer.alloc(512) }],
    ['an end padded to a record', { end: Buffer.alloc(10_240) }],
    ['a comment for all members', { first: [paxHeader([['comment', 'of a version control system']], 'g')] }],
    [
      'unknown pax records',
      {
        last: [],
        disk: [
          paxHeader([
            ['mtime', '1.5'],
            ['SCHILY.dev', '1'],
          ]),
          file('box-disk1.vmdk', DISK),
        ],
      },
    ],
    ['a folder', { first: [tarHeader({ name: 'docs/', type: '5' })] }],
    [
      'a further file that the manifest lists',
      { last: [file('readme.txt')], listed: { 'box-disk1.vmdk': DISK, 'readme.txt': Buffer.from('x') } },
    ],
    [
      'a certificate that the manifest lists',
      { last: [file('box.cert')], listed: { 'box-disk1.vmdk': DISK, 'box.cert': Buffer.from('x') } },
    ],
    ['a reference with ./', { ovf: (xml) => xml.replace('"box-disk1', '"./box-disk1') }],
    ['a percent-encoded reference', { ovf: (xml) => xml.replace('"box-disk1', '"box%2Ddisk1') }],
    ['a chunk size of a file that was not cut', { ovf: (xml) => xml.replace('<File ', '<File ovf:chunkSize="7" ') }],
    [
      'a comment, CDATA, an instruction',
      { ovf: (xml) => xml.replace('<VirtualSystem ', '<?x y?><!-- <a> --><![CDATA[<b>]]><VirtualSystem ') },
    ],
    ['a descriptor without XML declaration', { ovf: (xml) => xml.replace(/^<\?.*\r\n/, '') }],
    [
      'an empty disk',
      { descriptor: { files: [], disks: [{ id: 'd', file_id: null, capacity: '1' }] }, disk: [], listed: {} },
    ],
    [
      'nested gzip, which is never unpacked',
      {
        last: [file('logs.gz', gzipSync(gzipSync(Buffer.alloc(9999))))],
        listed: { 'box-disk1.vmdk': DISK, 'logs.gz': gzipSync(gzipSync(Buffer.alloc(9999))) },
      },
    ],
  ];
  test.each(LEGAL)('%s', async (_, parts) => {
    await writeFile(path, ova(parts));
    expect((await verifyOva(path)).descriptor.name).toBe('box');
  });

  const NINE_GIB = 9 * 2 ** 30;
  test.each([
    ['base-256', (name: string) => tarHeader({ name, size: NINE_GIB, format: 'gnu' })],
    [
      'pax',
      (name: string) => Buffer.concat([paxHeader([['size', String(NINE_GIB)]]), tarHeader({ name, format: 'pax' })]),
    ],
  ])('a disk of 9 GiB, its size as %s', async (_, header) => {
    const [before, after] = ova({
      ovf: (xml) => xml.replace(/ovf:size="\d+"/, `ovf:size="${NINE_GIB}"`),
      disk: [Buffer.alloc(512, 1)],
      listed: { 'box-disk1.vmdk': DISK, 'readme.txt': DISK },
      end: Buffer.alloc(0),
    })
      .toString('latin1')
      .split('\u0001'.repeat(512));
    expect(after).toBe('');
    const start = Buffer.concat([Buffer.from(before ?? '', 'latin1'), header('box-disk1.vmdk')]);
    const hole = await open(path, 'w');
    await hole.write(start);
    await hole.truncate(start.length + NINE_GIB);
    await hole.write(headerWithData({ name: 'readme.txt' }, DISK), 0, undefined, start.length + NINE_GIB);
    await hole.write(tarEnd(), 0, undefined, start.length + NINE_GIB + 512 + Math.ceil(DISK.length / 512) * 512);
    await hole.close();
    const { members } = await indexOva(path);
    expect(members.find(({ name }) => name === 'box-disk1.vmdk')).toEqual({
      name: 'box-disk1.vmdk',
      offset: start.length,
      size: NINE_GIB,
    });
    expect(members.at(-1)?.name).toBe('readme.txt');
    const stopped = AbortSignal.timeout(50);
    await expect(verifyOva(path, { signal: stopped })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
