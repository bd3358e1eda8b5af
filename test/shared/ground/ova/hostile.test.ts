// Hostile OVAs: each is refused with the fault of its kind, soon, with bounded memory, before anything could be sent.
import { execFile } from 'node:child_process';
import { appendFile, link, mkdtemp, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OVA_FAULTS, OvaFault } from '../../../../shared/ground/ova/fault.ts';
import { indexOva } from '../../../../shared/ground/ova/index-ova.ts';
import { openMember } from '../../../../shared/ground/ova/open.ts';
import { verifyOva } from '../../../../shared/ground/ova/verify-ova.ts';
import { makeOva } from '../../../setup/make-ova.ts';
import { HOSTILE_ARCHIVES } from './hostile-archives.ts';
import { HOSTILE_DESCRIPTORS } from './hostile-descriptors.ts';
import { HOSTILE_MANIFESTS } from './hostile-manifests.ts';
import { HOSTILE_SIGNATURES } from './hostile-signatures.ts';
import { LARGE } from './large.ts';
import { ova } from './parts.ts';

const HOSTILE = [...HOSTILE_ARCHIVES, ...HOSTILE_MANIFESTS, ...HOSTILE_SIGNATURES, ...HOSTILE_DESCRIPTORS];

/** Found while the bytes are read or unpacked, thus not by an index of the headers. */
const BY_CONTENT = new Set(['gzip_bomb', 'gzip_damaged']);

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groundcrew-ova-'));
  path = join(folder, 'hostile.ova');
});
afterAll(() => rm(folder, { recursive: true }));

/** A test whose time ran out while nothing else had a turn fails here. */
const turn = () => new Promise((resolve) => setTimeout(resolve));

async function faultOf(action: Promise<unknown>): Promise<OvaFault> {
  const failure = await action.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof OvaFault)) throw new Error(`no refusal but ${failure}`, { cause: failure });
  return failure;
}

// Soon, that is: where the cost of one grew with the square of its size, it would take minutes, and end with its test.
describe('refused', () => {
  test.each(HOSTILE)('%s: %s', async (kind, fault, bytes) => {
    await writeFile(path, bytes());
    const refusal = await faultOf(verifyOva(path));
    await turn();
    expect(refusal.fault).toBe(fault);
    expect(refusal).toMatchObject({ code: 'ova_refused', status: 409 });
    expect(refusal.message.length).toBeLessThan(300);
    expect(refusal.message).not.toMatch(/[\p{Cc}\u202e]|\{\}/u);
    const disk_only = BY_CONTENT.has(fault) || kind === 'another digest of the disk';
    if (!disk_only) expect((await faultOf(indexOva(path))).fault).toBe(fault);
  });

  test('the sound OVA that they are made from is accepted', async () => {
    await writeFile(path, ova());
    expect((await verifyOva(path)).members.map(({ name }) => name)).toEqual(['box.ovf', 'box.mf', 'box-disk1.vmdk']);
  });

  test('at least forty kinds, and every fault of the list but those of the file itself', () => {
    const proven = new Set<string>(HOSTILE.map(([, fault]) => fault));
    const elsewhere = new Set(['file_missing', 'file_not_regular', 'file_changed']);
    expect(Object.keys(OVA_FAULTS).filter((fault) => !proven.has(fault) && !elsewhere.has(fault))).toEqual([]);
    expect(HOSTILE.length).toBeGreaterThan(40);
  });

  test('each fault says what is wrong and what to do', () => {
    for (const [wrong, way_out] of Object.values(OVA_FAULTS)) {
      expect(wrong).toMatch(/^\S.{15,130}\.$/);
      expect(way_out).toMatch(/^[A-Z].{10,120}\.$/);
    }
  });
});

describe('the file itself', () => {
  test('missing, a folder, a link, a pipe', async () => {
    await writeFile(path, ova());
    expect((await faultOf(indexOva(join(folder, 'gone.ova')))).fault).toBe('file_missing');
    expect((await faultOf(indexOva(join(path, 'below')))).fault).toBe('file_missing');
    expect((await faultOf(indexOva(folder))).fault).toBe('file_not_regular');
    await symlink(path, join(folder, 'link.ova'));
    expect((await faultOf(indexOva(join(folder, 'link.ova')))).fault).toBe('file_not_regular');
    await promisify(execFile)('mkfifo', [join(folder, 'pipe.ova')]);
    expect((await faultOf(verifyOva(join(folder, 'pipe.ova')))).fault).toBe('file_not_regular');
    await link(path, join(folder, 'hard.ova'));
    expect((await indexOva(join(folder, 'hard.ova'))).descriptor.name).toBe('box');
  });

  const CHANGES: [string, (of: string) => Promise<void>][] = [
    ['grows', (of) => appendFile(of, Buffer.alloc(512))],
    ['shrinks', (of) => truncate(of, 4 << 20)],
    ['gets another time', (of) => utimes(of, 1, 1)],
  ];
  test.each(CHANGES)('refused when it %s while it is read', async (_, change) => {
    await makeOva({ path, disks: [{ size: 8 << 20 }] });
    let changed: Promise<void> | null = null;
    const onProgress = (): void => {
      changed ??= change(path);
    };
    expect((await faultOf(verifyOva(path, { onProgress }))).fault).toBe('file_changed');
    await changed;
  });

  test.each(CHANGES)('no member of it is sent when it %s after it was checked', async (_, change) => {
    const { members } = await makeOva({ path, disks: [{ size: 8 << 20 }] });
    const sound = await verifyOva(path);
    await change(path);
    const sent: Buffer[] = [];
    const all = async (): Promise<void> => {
      for await (const piece of openMember(sound, members[1]?.name ?? '')) sent.push(piece as Buffer);
    };
    expect((await faultOf(all())).fault).toBe('file_changed');
    expect(sent).toEqual([]);
  });

  test('a change during the stream ends it with an error, not with an end', async () => {
    const { members } = await makeOva({ path, disks: [{ size: 8 << 20 }] });
    const sound = await verifyOva(path);
    const all = async (): Promise<void> => {
      for await (const _ of openMember(sound, members[1]?.name ?? '')) await utimes(path, 1, 1);
    };
    expect((await faultOf(all())).fault).toBe('file_changed');
  });
});

test('memory stays below 200 MB for a million members, the largest descriptors and a bomb', async () => {
  const paths: string[] = [];
  for (const [index, [, write]] of Object.values(LARGE).entries()) {
    paths.push(join(folder, `large-${index}.ova`));
    await write(paths[index] ?? '');
  }
  const program = resolve(import.meta.dirname, 'memory-program.ts');
  // With little room for what the collector has not come to yet; where more than this is really held, the program ends.
  const heap = ['--max-old-space-size=64', '--max-semi-space-size=2'];
  const args = [...heap, '--disable-warning=ExperimentalWarning', program, ...paths];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 100_000 });
  const { checks, peak } = JSON.parse(stdout) as { checks: { outcome: string }[]; peak: number };
  expect(checks.map(({ outcome }) => outcome)).toEqual(Object.values(LARGE).map(([outcome]) => outcome));
  expect(peak).toBeLessThan(200e6);
  // Half a GiB of headers is written first.
}, 120_000);

test('a name shown in a refusal is cut and harmless', () => {
  const { message } = new OvaFault('name_control', `a\u001b[31m${'x'.repeat(500)}\ud800`);
  expect(message).toBe(
    `The name “a�[31m${'x'.repeat(73)}…” holds control characters. Don’t use this file: take the appliance from its vendor again.`,
  );
});
