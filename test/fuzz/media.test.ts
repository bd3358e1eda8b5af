// Installer media: what is taken of an image or a folder, what is refused, and that nothing ever leaves its folder.
import { createHash } from 'node:crypto';
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rangeOf } from '../../runtime/media-stream.ts';
import { openFolder } from '../../shared/services/network-boot/esxi-media/folder.ts';
import { openImport } from '../../shared/services/network-boot/esxi-media/import-folder.ts';
import { openIso } from '../../shared/services/network-boot/esxi-media/iso9660.ts';
import { LIMITS, MediaFault } from '../../shared/services/network-boot/esxi-media/limits.ts';
import { mediaFiles } from '../../shared/services/network-boot/esxi-media/media-files.ts';
import { mediaFolder } from '../../shared/services/network-boot/esxi-media/media-folder.ts';
import { memberPath, refuseUnfit } from '../../shared/services/network-boot/esxi-media/member-path.ts';
import { pruneMedia, removeMedium } from '../../shared/services/network-boot/esxi-media/remove.ts';
import { namedFiles, parseBootConfig } from '../../shared/services/network-boot/esxi-media/shipped-config.ts';
import { type UnpackedMedium, unpack } from '../../shared/services/network-boot/esxi-media/unpack.ts';
import { receivePiece } from '../../shared/services/network-boot/esxi-media/upload.ts';
import { BOOT_CONFIG, type Entry, esxiEntries, makeIso, type Names, writeIso } from '../setup/esxi-iso.ts';
import { CORPUS } from './media-corpus.ts';

let base: string;
let count = 0;
const host = { resolve: (path: string) => join(base, 'appliance', path) };

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'groundcrew-media-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const newId = (): string => `medium_${++count}`;
const file = (path: string, content = 'x'): Entry => ({ path: path.split('/'), content: Buffer.from(content) });

async function unpacked(entries: readonly Entry[], names?: Names, id = newId()): Promise<UnpackedMedium> {
  const path = join(base, `${id}.iso`);
  await writeIso(path, entries, names);
  try {
    const source = await openIso(path);
    return await unpack(source, { host, id }).finally(() => source.close());
  } finally {
    await rm(path);
  }
}

/** As few files as a medium can have: each is written to the disk for good. */
const LEAST = [file('boot.cfg', 'kernel=/b.b00\n'), file('b.b00'), file('mboot.efi')];

/** What is refused says why in words of its own, without control characters. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('was taken'),
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(MediaFault);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
  expect(error.message).not.toMatch(/[\x00-\x1f\x7f]/);
  return error.message;
}

/** Everything below the test's folder except what belongs to media. Links are listed, never followed: one leads back up. */
async function surroundings(): Promise<string[]> {
  const entries = await readdir(base, { recursive: true, withFileTypes: true });
  const all = entries.map(({ parentPath, name }) => relative(base, join(parentPath, name)));
  const media = mediaFolder(host).slice(base.length + 1);
  return all.filter((path) => !path.startsWith(`${media}/`)).sort();
}

describe('an image is read with the best names that it has', () => {
  const expected = ['boot.cfg', 'efi/boot/bootx64.efi', 's.v00', 'upgrade/metadata.zip'];
  test.each<[Names, (path: string) => string]>([
    ['rock-ridge', (path) => path],
    ['joliet', (path) => path],
    ['plain', (path) => path.toUpperCase()],
  ])('%s', async (names, spelled) => {
    const id = newId();
    const medium = await unpacked(esxiEntries(), names, id);
    expect(medium).toMatchObject({ product: 'VMware ESXi 8.0.3', file_count: 11, loaders: { bios: null } });
    expect(medium.loaders.efi).toBe(spelled('efi/boot/bootx64.efi'));
    const files = mediaFiles(host);
    for (const path of expected) {
      const found = await files.find(id, path);
      const wanted = esxiEntries().find((entry) => entry.path.join('/') === path)!.content!;
      expect(found?.size).toBe(wanted.length);
      const handle = await found!.open();
      expect(await handle!.readFile()).toEqual(wanted);
      await handle!.close();
    }
  });

  test('an image and a folder with its files have the same content digest', async () => {
    const root = join(base, 'as-folder');
    for (const { path, content } of esxiEntries()) {
      await mkdir(join(root, ...path.slice(0, -1)), { recursive: true });
      await writeFile(join(root, ...path), content!);
    }
    const one = await unpack(openFolder(root), { host, id: newId() });
    const other = await unpacked(esxiEntries());
    expect(one).toEqual(other);
    expect(one.content_digest).toMatch(/^[0-9a-f]{64}$/);
    await rm(root, { recursive: true });
  });

  test('a folder of more records than a sector holds', async () => {
    const many = Array.from({ length: 300 }, (_, at) => file(`vib20/package-${at}/file-${at}.vib`, `${at}`));
    expect((await unpacked([...esxiEntries(), ...many])).file_count).toBe(311);
  });

  test('a file is found as it is written, else regardless of case, and nothing else is found', async () => {
    const id = newId();
    await unpacked([...esxiEntries(), file('Mixed/Case.V00', 'mixed')], 'rock-ridge', id);
    const files = mediaFiles(host);
    expect((await files.find(id, 'mixed/case.v00'))?.size).toBe(5);
    expect((await files.find(id, 'Mixed/Case.V00'))?.etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const name of ['Mixed', 'Mixed/', '', '.', 'index.json', '../index.json', 'files/boot.cfg', '/boot.cfg']) {
      expect([name, await files.find(id, name)]).toEqual([name, null]);
    }
    for (const other of ['medium_none', '..', '.', '', `../${id}`, '.unpacking-x']) {
      expect([other, await files.find(other, 'boot.cfg')]).toEqual([other, null]);
    }
  });
});

describe('nothing leads out of the medium', () => {
  test('the corpus has at least 200 paths', () => expect(CORPUS.length).toBeGreaterThanOrEqual(200));

  test.each<Names>(['rock-ridge', 'joliet', 'plain'])(
    'no path of the corpus escapes from an image with names of %s',
    async (names) => {
      const before = await surroundings();
      let refused = 0;
      for (const path of CORPUS) {
        for (const split of [[path], path.split('/')]) {
          // A name of a record has at most 221 bytes; what does not fit can't be said by an image.
          if (names !== 'rock-ridge' && split.some((name) => Buffer.byteLength(name, 'utf16le') > 200)) continue;
          const id = newId();
          const done = await unpacked([...LEAST, { path: split, content: Buffer.from('escaped') }], names, id).then(
            () => true,
            (error: Error) => {
              expect([path, error.name, error instanceof MediaFault]).toEqual([path, 'Error', true]);
              return false;
            },
          );
          if (!done) refused += 1;
          // One that is taken is a plain file below its folder.
          if (done) expect((await readdir(mediaFolder(host))).includes(id)).toBe(true);
          await removeMedium(host, id);
        }
      }
      expect(refused).toBeGreaterThan(200);
      expect(await surroundings()).toEqual(before);
      expect((await readdir(mediaFolder(host))).filter((name) => !/^(?:\.unpacking-)?medium_\d+$/.test(name))).toEqual(
        [],
      );
    },
    120_000,
  );

  test('no path of the corpus finds a file of a medium, or an import', async () => {
    const id = newId();
    await unpacked(esxiEntries(), 'rock-ridge', id);
    const data = join(base, 'data');
    await mkdir(join(data, 'import', 'good'), { recursive: true });
    await writeFile(join(data, 'groundcrew.keys'), 'secret');
    const files = mediaFiles(host);
    for (const path of CORPUS) {
      expect([path, await files.find(id, path)]).toEqual([path, null]);
      expect([path, await refusal(openImport(data, path)).then(() => 'refused')]).toEqual([path, 'refused']);
    }
    for (const path of ['../groundcrew.keys', 'good/../../groundcrew.keys']) await refusal(openImport(data, path));
    await symlink(data, join(data, 'import', 'out'));
    await symlink(join(data, 'groundcrew.keys'), join(data, 'import', 'keys.iso'));
    for (const path of ['out', 'out/groundcrew.keys', 'keys.iso']) await refusal(openImport(data, path));
  });

  const good = esxiEntries();
  test.each<[string, Entry[], RegExp]>([
    ['a symbolic link', [...good, { path: ['link'], link: '/etc/shadow' }], /"link" is a link/],
    ['a symbolic link to a folder', [...good, { path: ['efi2'], link: '..' }], /is a link/],
    ['a link by mode alone', [...good, { path: ['l'], mode: 0o120777 }], /is a link/],
    ['a block device', [...good, { path: ['sda'], mode: 0o060660, device: true }], /is a device/],
    ['a character device', [...good, { path: ['null'], mode: 0o020666 }], /is a device/],
    ['a fifo', [...good, { path: ['pipe'], mode: 0o010644 }], /is a special file/],
    ['a socket', [...good, { path: ['sock'], mode: 0o140644 }], /is a special file/],
    ['a relocated folder', [...good, { path: ['moved'], special: 'CL' }], /relocated/],
    ['a compressed file', [...good, { path: ['packed'], special: 'ZF' }], /compressed/],
    ['the same name twice', [...good, file('s.v00'), file('twice'), file('twice')], /twice/],
    ['a name in two spellings', [...good, file('S.V00')], /"S\.V00" is in the medium twice/],
    ['a file where others have a folder', [...good, file('EFI')], /both a file and a folder/],
    ['a file in several pieces', [...good, { ...file('big'), flags: 0x80 }], /several pieces/],
    [
      'content beyond the end',
      [...good, { ...file('far'), extent: { sector: 5_000_000, size: 10 } }],
      /beyond the end/,
    ],
    [
      'a file of more than 4 GiB',
      [...good, { ...file('huge'), extent: { sector: 20, size: 0xffffffff } }],
      /beyond the end/,
    ],
    [
      'a folder that holds itself',
      [...good, { path: ['loop'], flags: 2, mode: 0o040755, extent: { sector: 18, size: 2048 } }],
      /twice/,
    ],
    [
      'a folder beyond the end',
      [...good, { path: ['far'], flags: 2, mode: 0o040755, extent: { sector: 9_000_000, size: 2048 } }],
      /beyond its own end/,
    ],
    [
      'a folder of 4 GiB',
      [...good, { path: ['far'], flags: 2, mode: 0o040755, extent: { sector: 20, size: 0xfffff800 } }],
      /too large/,
    ],
    ['no boot.cfg', good.filter(({ path }) => !path.includes('boot.cfg')), /no boot.cfg/],
    ['no loader', good.filter(({ path }) => !path.includes('bootx64.efi')), /no boot loader/],
    ['a module that is missing', good.filter(({ path }) => path[0] !== 's.v00'), /"s\.v00", which the medium lacks/],
    ['a boot.cfg that is none', esxiEntries({ config: 'kernel=/b.b00\n\u0001\n' }), /Line 2/],
    ['a boot.cfg of 100 KiB', esxiEntries({ config: `#${'x'.repeat(100_000)}` }), /larger than/],
  ])('refused as a whole: %s', async (_name, entries, said) => {
    const id = newId();
    expect(await refusal(unpacked(entries, 'rock-ridge', id))).toMatch(said);
    expect(await mediaFiles(host).find(id, 'boot.cfg')).toBeNull();
  });

  test.each<[string, (root: string) => Promise<unknown>, RegExp]>([
    ['a link', (root) => symlink('/etc/passwd', join(root, 'passwd')), /neither a file nor a folder/],
    ['a link to a folder', (root) => symlink('/etc', join(root, 'etc')), /neither/],
    ['a hard link', (root) => link(join(root, 'b.b00'), join(root, 'second')), /second name/],
    ['a name that is no ASCII', (root) => writeFile(join(root, 'ümlaut'), ''), /not the path of a file/],
  ])('refused as a whole: a folder with %s', async (_name, spoil, said) => {
    const root = join(base, `spoilt-${newId()}`);
    await mkdir(root);
    await writeFile(join(root, 'b.b00'), 'kernel');
    await spoil(root);
    expect(await refusal(unpack(openFolder(root), { host, id: newId() }))).toMatch(said);
    await rm(root, { recursive: true });
  });

  test('numbers: too many files, too large, too large in all', () => {
    const member = (path: string, size: number) => ({ path, size, open: () => null as never });
    const many = Array.from({ length: LIMITS.members + 1 }, (_, at) => member(`f${at}`, 1));
    expect(() => refuseUnfit(many)).toThrow(/more than 10000 files/);
    expect(() => refuseUnfit([member('huge', LIMITS.file + 1)])).toThrow(/larger than/);
    expect(() => refuseUnfit(['a', 'b', 'c'].map((path) => member(path, LIMITS.file)))).toThrow(/in all/);
    expect(() => refuseUnfit([member('negative', -1)])).toThrow(MediaFault);
    expect(() => refuseUnfit([member('nan', Number.NaN)])).toThrow(MediaFault);
    expect(() => refuseUnfit([])).toThrow(/no file/);
    expect(memberPath(['vib20', 'VMware_bootbank_esx-base_8.0.3-0.0.24022510.vib'])).toMatch(/^vib20\//);
  });

  test('an image whose every byte in turn is another never escapes, hangs or fails otherwise than refused', async () => {
    const image = makeIso([...esxiEntries(), { path: ['l'], link: 'x' }].slice(0, 11));
    const path = join(base, 'flipped.iso');
    const id = newId();
    const before = await surroundings();
    let taken = 0;
    // Descriptors and the folders behind them; contents are compared elsewhere.
    for (let at = 16 * 2048; at < 24 * 2048; at += 1) {
      if (image[at] === 0 && at % 16 !== 0) continue;
      const spoilt = Buffer.from(image);
      spoilt[at] = spoilt[at]! ^ 0xff;
      await writeFile(path, spoilt);
      const members = await openIso(path)
        .then(async (source) => {
          const found = await source.members().finally(() => source.close());
          refuseUnfit(found);
          return found;
        })
        .catch((error: Error) => {
          if (!(error instanceof MediaFault)) throw new Error(`byte ${at}: ${error.stack}`);
          return null;
        });
      if (members) taken += 1;
      for (const member of members ?? []) expect(memberPath(member.path.split('/'))).toBe(member.path);
    }
    await rm(path);
    expect(taken).toBeGreaterThan(0);
    expect(await surroundings()).toEqual(before);
    await removeMedium(host, id);
  }, 300_000);
});

describe('a medium is there whole or not at all', () => {
  test('one that fails half-way leaves nothing under its name, and the next run begins anew', async () => {
    const id = newId();
    const root = join(base, 'half');
    await mkdir(root);
    for (const { path, content } of esxiEntries().filter(
      (entry) => entry.path.length === 1 || entry.path[0] === 'efi',
    )) {
      await mkdir(join(root, ...path.slice(0, -1)), { recursive: true });
      await writeFile(join(root, ...path), content!);
    }
    const source = openFolder(root);
    let calls = 0;
    const stop = async () => {
      calls += 1;
      if (calls === 5) throw new Error('killed');
    };
    await expect(unpack(source, { host, id, progress: stop })).rejects.toThrow('killed');
    expect(await mediaFiles(host).find(id, 'boot.cfg')).toBeNull();
    const medium = await unpack(source, { host, id });
    // Again after its last step: found as it is.
    expect(await unpack(openFolder('/nonexistent'), { host, id })).toEqual(medium);
    await rm(root, { recursive: true });
  });

  test('what no medium has a use for is removed after a while', async () => {
    const [ready, gone, refused] = [newId(), newId(), newId()];
    for (const id of [ready, gone, refused]) await unpacked(esxiEntries(), 'rock-ridge', id);
    await receivePiece(host, { id: ready, offset: 0, bytes: Buffer.from('x'), size: 9 });
    await receivePiece(host, { id: refused, offset: 0, bytes: Buffer.from('x'), size: 9 });
    const others = new Map(
      (await readdir(mediaFolder(host))).map((name) => [name.replace(/^\.\w+-/, ''), 'unpacking' as const]),
    );
    const states = new Map([...others, [ready, 'ready'], [refused, 'receiving']] as [string, never][]);
    states.delete(gone);
    expect(await pruneMedia(host, states, { now: new Date(), seconds: 3600 })).toEqual([]);
    // Also where the clock was set back by a day since: what is that far ahead is no file of this hour.
    const removed = await pruneMedia(host, states, { now: new Date(Date.now() - 86_400_000), seconds: 3600 });
    expect(removed.sort()).toEqual([`.upload-${ready}`, gone, refused].sort());
  });

  test('pieces go on where the last one ended, and are the same bytes when sent again', async () => {
    const id = newId();
    const image = Buffer.from('0123456789');
    const piece = (offset: number, end: number) => ({
      id,
      offset,
      bytes: image.subarray(offset, end),
      size: image.length,
    });
    expect(await receivePiece(host, piece(0, 4))).toBe(4);
    expect(await receivePiece(host, piece(0, 4))).toBe(4);
    await expect(receivePiece(host, piece(6, 8))).rejects.toThrow('4 bytes are there');
    expect(await receivePiece(host, piece(2, 7))).toBe(7);
    await expect(receivePiece(host, { ...piece(7, 10), size: 8 })).rejects.toThrow('8 bytes');
    expect(await receivePiece(host, piece(7, 10))).toBe(10);
    expect(await readFile(join(mediaFolder(host), `.upload-${id}`))).toEqual(image);
  });
});

test('boot.cfg as it is shipped: settings in order, comments left out, files as they are named', () => {
  const config = parseBootConfig(`# comment\r\n${BOOT_CONFIG}crypto = x=y\n`);
  expect(config[0]).toEqual(['bootstate', '0']);
  expect(config.at(-1)).toEqual(['crypto', 'x=y']);
  expect(namedFiles(config)).toEqual(['b.b00', 'jumpstrt.gz', 'useropts.gz', 'k.b00', 's.v00']);
  expect(() => parseBootConfig('kernel=x\nnonsense\n')).toThrow('Line 2');
});

test.each<[string | undefined, number, unknown]>([
  [undefined, 100, null],
  ['bytes=0-9', 100, { start: 0, end: 9 }],
  ['bytes=90-', 100, { start: 90, end: 99 }],
  ['bytes=-10', 100, { start: 90, end: 99 }],
  ['bytes=-1000', 100, { start: 0, end: 99 }],
  ['bytes=50-1000', 100, { start: 50, end: 99 }],
  ['bytes=100-', 100, 'unsatisfiable'],
  ['bytes=-0', 100, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=9-3', 100, null],
  ['bytes=-', 100, null],
  ['bytes=0-1,5-6', 100, null],
  ['lines=0-9', 100, null],
  ['bytes=99999999999999999-', 100, 'unsatisfiable'],
])('range %s of %i bytes', (header, size, expected) => {
  expect(rangeOf(header, size)).toEqual(expected);
});

test('SHA-256 of a file is what its entity tag is made of', async () => {
  const id = newId();
  await unpacked(esxiEntries(), 'rock-ridge', id);
  const digest = createHash('sha256').update(BOOT_CONFIG).digest('hex');
  expect((await mediaFiles(host).find(id, 'boot.cfg'))?.etag).toBe(`"${digest.slice(0, 32)}"`);
});
