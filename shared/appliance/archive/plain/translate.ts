// An archive of schema 2 in plain JSON, as one of ours would have it: the same pieces, so that everything after them is the same.
import type { Bytes } from '../../../ground/byte-source.ts';
import { SCHEMA_VERSION } from '../../../ground/store/open-store.ts';
import { FORMAT, type Manifest } from '../manifest.ts';
import type { Piece } from '../read.ts';
import { tableNamed } from '../tables.ts';
import { bringDhcp } from './dhcp.ts';
import { readPlain } from './document.ts';
import { bringInterfaces } from './interfaces.ts';
import { bringNames } from './names.ts';
import { bringHosts, bringStorage, bringTime } from './others.ts';
import { Translation, type Unplaced } from './translation.ts';

export interface Plain {
  pieces: AsyncGenerator<Piece>;
  unplaced: Unplaced[];
}

/** Rows that are handed on at once. */
const BATCH = 500;
/** Of rows that do not say when they were made. */
const BEGINNING = '1970-01-01T00:00:00.000Z';

/** @throws Problem 409 for what can't be read */
export async function translate(bytes: Bytes): Promise<Plain> {
  const { app_version, exported_at, exported_by, sections } = await readPlain(bytes);
  const at = Date.parse(exported_at);
  const created_at = Number.isNaN(at) ? BEGINNING : new Date(at).toISOString();
  const translation = new Translation(sections, created_at);
  for (const bring of [bringInterfaces, bringNames, bringDhcp, bringTime, bringStorage, bringHosts]) bring(translation);
  const manifest: Manifest = {
    kind: 'groundcrew-archive',
    format: FORMAT,
    schema: SCHEMA_VERSION,
    program: app_version,
    host_name: '',
    created_at,
    created_by: exported_by,
    contents: [...translation.tables].map(([name, rows]) => ({
      name: `${tableNamed(name)!.as}/${name}.jsonl`,
      rows: rows.length,
      sha256: '0'.repeat(64),
    })),
    excluded: [],
  };
  return { pieces: piecesOf(manifest, translation), unplaced: translation.unplaced() };
}

async function* piecesOf(manifest: Manifest, { tables }: Translation): AsyncGenerator<Piece> {
  yield { manifest };
  for (const [table, rows] of tables) {
    for (let at = 0; at < rows.length; at += BATCH) yield { table, rows: rows.slice(at, at + BATCH) };
  }
}
