// What the tests of archives share: an archive of a house, and one that is restored to another.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bringForward } from '../../../../shared/appliance/archive/bring-forward.ts';
import type { Choice } from '../../../../shared/appliance/archive/choose.ts';
import { withCopy } from '../../../../shared/appliance/archive/copy.ts';
import { exportArchive } from '../../../../shared/appliance/archive/export.ts';
import { manifestDigest } from '../../../../shared/appliance/archive/manifest.ts';
import { restoreState } from '../../../../shared/appliance/archive/restore.ts';
import type { Json } from '../../../../shared/appliance/archive/rows.ts';
import type { AgeIdentity } from '../../../../shared/ground/age/age.ts';
import { canonicalJson } from '../../../../shared/ground/canonical-json.ts';
import { migrate } from '../../../../shared/ground/store/open-store.ts';
import { Store } from '../../../../shared/ground/store/store.ts';
import { readTar } from '../../../../shared/ground/tar/read.ts';
import { writeTar } from '../../../../shared/ground/tar/write.ts';
import { systemActor } from '../../../../shared/kernel/access/actor.ts';
import type { House } from '../../../setup/house.ts';

const ABOUT = { program: '0.0.0-test', host_name: 'gc01', created_at: '2026-01-02T03:04:05Z', created_by: 'admin' };
export const ALL: Choice = { mode: 'replace', units: null };

const folderOf = (house: House): string => join(house.data, 'archives');

/** Of now, not encrypted. */
export async function bytesOf(house: House, sealed: boolean): Promise<Buffer> {
  const { services } = house;
  const pieces: Buffer[] = [];
  const made = withCopy(services.store, folderOf(house), (copy) =>
    exportArchive(copy, services, { about: ABOUT, sealed }),
  );
  for await (const piece of made) pieces.push(piece);
  return Buffer.concat(pieces);
}

export async function restore(house: House, bytes: Buffer, choice = ALL, by: AgeIdentity | null = null) {
  const { services } = house;
  const forward = await bringForward(folderOf(house), [bytes], by);
  const restoring = services.store.write((tx) => restoreState(tx, services, systemActor('test'), forward, choice));
  return restoring.finally(() => forward.close());
}

/** Member → its text. */
export async function membersOf(bytes: Buffer): Promise<Map<string, string>> {
  const members = new Map<string, string>();
  for await (const { name, data } of readTar([bytes], 'manifest.json')) {
    const pieces: Buffer[] = [];
    for await (const piece of data) pieces.push(piece);
    members.set(name, Buffer.concat(pieces).toString('utf8'));
  }
  return members;
}

/** A tar that is whole, whatever its members say. */
export async function tarOf(members: ReadonlyMap<string, string>): Promise<Buffer> {
  const all = [...members].map(([name, text]) => {
    const bytes = Buffer.from(text, 'utf8');
    return { name, size: bytes.length, data: [bytes] };
  });
  const pieces: Buffer[] = [];
  for await (const piece of writeTar(all, 'manifest.json')) pieces.push(piece);
  return Buffer.concat(pieces);
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same archive with other lines in a member, as its manifest then says. */
export async function reworded(
  bytes: Buffer,
  { member, edit }: { member: string; edit(lines: string): string },
): Promise<Buffer> {
  const members = await membersOf(bytes);
  const before = members.get(member)!;
  const after = edit(before);
  if (after === before) throw new Error(`The edit of ${member} changes nothing.`);
  const manifest = members.get('manifest.json')!.replace(digest(before), digest(after));
  return tarOf(new Map(members).set(member, after).set('manifest.json', whole(manifest)));
}

/** A manifest with the digest that it should have. */
export function whole(manifest: string): string {
  const { sha256: _former, ...others } = JSON.parse(manifest) as Record<string, Json>;
  return canonicalJson({ ...others, sha256: manifestDigest(others) });
}

/** As a release of that schema would have written it: without what later ones added. */
export async function ofSchema(bytes: Buffer, schema: number): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'groundcrew-schema-'));
  const file = join(folder, 'then.sqlite');
  await migrate(file, schema);
  const store = await Store.open(file);
  const members = await membersOf(bytes);
  const { sha256: _later, ...manifest } = JSON.parse(members.get('manifest.json')!) as {
    contents: Content[];
    sha256: string;
  };
  try {
    const contents: Content[] = [];
    for (const content of manifest.contents) {
      const table = /\/(\w+)\./.exec(content.name)![1]!;
      const columns = await store.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', [table]);
      const known = new Set(['id', 'secret', 'natural_key', ...columns.map(({ name }) => name)]);
      const rows = members.get(content.name)!.split('\n').filter(Boolean);
      const lines = rows.map((line) => {
        const row = Object.entries(JSON.parse(line) as Record<string, Json>);
        return `${canonicalJson(Object.fromEntries(row.filter(([member]) => known.has(member))))}\n`;
      });
      members.delete(content.name);
      if (columns.length === 0) continue;
      members.set(content.name, lines.join(''));
      contents.push({ ...content, sha256: digest(lines.join('')) });
    }
    return await tarOf(members.set('manifest.json', canonicalJson({ ...manifest, schema, contents })));
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
}

interface Content {
  name: string;
  rows: number;
  sha256: string;
}
