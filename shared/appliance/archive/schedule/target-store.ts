// Targets in the database. Their secrets are written here and read by whoever connects.
import { canonicalJson } from '../../../ground/canonical-json.ts';
import { instant, newId } from '../../../ground/clock.ts';
import { invalid, notFound, Problem } from '../../../ground/problems.ts';
import { openEntry, sealEntry } from '../../../ground/sealing/envelope.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database, SqlValue, Transaction } from '../../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../../ground/store/pagination.ts';
import { type Precondition, requireRevision } from '../../../ground/store/revision.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { parseServer } from '../../../vcf/connection/target.ts';
import { forgetCopies } from './copies.ts';
import { placeOf, typedSecret } from './place-members.ts';
import { foreignFolder, rootOf } from './places/allowed-folder.ts';
import {
  type FolderPlace,
  isOtherMachine,
  leadsElsewhere,
  type Place,
  SECRETS_OF,
  type SecretKind,
  type Target,
} from './target.ts';
import type { TargetCreate, TargetUpdate } from './target-schemas.ts';
import { targetPlace } from './target-secret.ts';

export type SealShell = Pick<Services, 'clock' | 'entropy' | 'keyring' | 'settings'>;

/** More than these are a mistake of a script. */
const TARGETS_MOST = 20;

interface Row {
  id: string;
  name: string;
  kind: Target['kind'];
  enabled: number;
  place: string;
  kek_id: string | null;
  sealed_key: string | null;
  sealed_value: string | null;
  revision: number;
  created_at: string;
  updated_at: string;
}

/** By name. */
export async function listTargets(
  db: Database,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<Target>> {
  const list = build<Row>('archive_target').select('*').orderBy('name');
  if (page.cursor) list.where('name', '>', String(decodeCursor(page.cursor, 1)[0]));
  return pageOf(await db.all<Row>(list.limit(page.limit + 1)), page.limit, ({ name }) => [name], view);
}

export const allTargets = async (db: Database): Promise<Target[]> =>
  (await db.all<Row>('SELECT * FROM archive_target ORDER BY name')).map(view);

/** @throws Problem 404 */
export async function findTarget(db: Database, id: string): Promise<Target> {
  return view(await rowOf(db, id));
}

async function rowOf(db: Database, id: string): Promise<Row> {
  const row = await db.one<Row>('SELECT * FROM archive_target WHERE id = ?', [id]);
  if (!row) throw notFound('This target');
  return row;
}

/** Its secret in the clear; null: it has none. @throws Problem 404, 409 */
export async function targetSecret(
  db: Database,
  { keyring }: Pick<Services, 'keyring'>,
  id: string,
): Promise<string | null> {
  const { kek_id, sealed_key, sealed_value, name } = await rowOf(db, id);
  if (kek_id === null) return null;
  const key = await keyring.find(kek_id);
  try {
    return openEntry({ id: kek_id, key: key! }, targetPlace({ id }), {
      kek_id,
      sealed_key: sealed_key!,
      sealed_value: sealed_value!,
    });
  } catch {
    throw new Problem('vault_value_unreadable', `The secret of the target ${name} can’t be opened. Enter it again.`);
  }
}

/** @throws Problem 409, 422 */
export async function createTarget(tx: Transaction, shell: SealShell, draft: TargetCreate): Promise<Target> {
  const { count } = (await tx.one<{ count: number }>('SELECT count(*) AS count FROM archive_target'))!;
  if (count >= TARGETS_MOST)
    throw new Problem('state_conflict', `There are ${TARGETS_MOST} targets, which is the most.`);
  const { kind, name, enabled = true } = draft;
  const place = canonical(shell, kind, placeOf(kind, draft, null));
  const typed = typedSecret(kind, draft);
  if (typed === null && SECRETS_OF[kind].length > 0) throw missingSecret(kind, 'Type it.');
  const id = newId('target', shell.entropy);
  const at = instant(shell.clock.now());
  const row: Row = {
    ...{ id, kind, name, enabled: enabled ? 1 : 0, place: stored(place, typed?.kind ?? null) },
    ...(await sealed(shell, id, typed?.value ?? null)),
    ...{ revision: 1, created_at: at, updated_at: at },
  };
  await tx.run(build('archive_target').insert({ ...row } as Record<string, SqlValue>)).catch(taken(name));
  return view(row);
}

/**
 * Members that are not named stay. A secret is for one machine: where that becomes another one it has to be typed again,
 * and its host key to be confirmed.
 * @throws Problem 404, 409, 412, 422
 */
export async function updateTarget(
  tx: Transaction,
  shell: SealShell,
  id: string,
  patch: TargetUpdate,
  if_match: Precondition,
): Promise<{ target: Target; changed: string[] }> {
  const row = await rowOf(tx, id);
  const before = view(row);
  requireRevision(if_match, before.revision);
  const { kind } = before;
  const place = canonical(shell, kind, placeOf(kind, patch, before.place));
  const typed = typedSecret(kind, patch);
  const other = isOtherMachine(kind, before.place, place);
  if (other && typed === null) throw missingSecret(kind, 'Type it again: the target is another machine now.');
  if (other && 'host_key_sha256' in place) place.host_key_sha256 = null;
  const next = {
    name: patch.name ?? before.name,
    enabled: (patch.enabled ?? before.enabled) ? 1 : 0,
    place: stored(place, typed?.kind ?? before.secret),
  };
  const changed = [
    ...(['name', 'enabled'] as const).filter((member) => next[member] !== row[member]),
    ...Object.keys(place).filter((member) => !same(member, place, before.place)),
    ...(typed ? [typed.kind] : []),
  ];
  if (changed.length === 0) return { target: before, changed };
  const columns = typed ? await sealed(shell, id, typed.value) : {};
  const updated = { ...next, ...columns, revision: before.revision + 1, updated_at: instant(shell.clock.now()) };
  await tx.run(build('archive_target').where('id', id).update(updated)).catch(taken(next.name));
  if (leadsElsewhere(kind, before.place, place)) await forgetCopies(tx, id);
  return { target: view({ ...row, ...updated }), changed };
}

const same = (member: string, one: Place, other: Place): boolean =>
  (one as unknown as Record<string, unknown>)[member] === (other as unknown as Record<string, unknown>)[member];

/** @throws Problem 404, 409 where the target is another machine meanwhile */
export async function confirmHostKey(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  seen: Target & { kind: 'sftp' },
  host_key_sha256: string,
): Promise<Target> {
  const row = await rowOf(tx, seen.id);
  const { kind, place } = view(row);
  if (isOtherMachine(kind, place, seen.place)) throw new Problem('state_conflict', 'The target was changed meanwhile.');
  const text = stored({ ...place, host_key_sha256 } as Place, view(row).secret);
  const updated = { place: text, revision: row.revision + 1, updated_at: instant(clock.now()) };
  await tx.run(build('archive_target').where('id', seen.id).update(updated));
  return view({ ...row, ...updated });
}

/** Copies there stay. @throws Problem 404, 412 */
export async function removeTarget(tx: Transaction, id: string, if_match: Precondition): Promise<Target> {
  const target = await findTarget(tx, id);
  requireRevision(if_match, target.revision);
  await tx.run('DELETE FROM archive_target WHERE id = ?', [id]);
  return target;
}

/** Inside the write transaction, so that no other process can rotate meanwhile. */
async function sealed({ keyring, entropy }: SealShell, id: string, value: string | null) {
  if (value === null) return { kek_id: null, sealed_key: null, sealed_value: null };
  return sealEntry(await keyring.current(), targetPlace({ id }), value, entropy);
}

/** A host in its one spelling, and a folder that takes copies. @throws Problem 422 */
function canonical(shell: SealShell, kind: Target['kind'], place: Place): Place {
  if (kind === 'folder' && rootOf(shell, (place as FolderPlace).path) === null)
    throw invalid({ pointer: '/path', detail: foreignFolder(shell) });
  if (kind !== 'sftp' || !('host' in place)) return place;
  const { host, port } = parseServer(place.host, { default_port: place.port, pointer: '/host' });
  if (port !== place.port)
    throw invalid({ pointer: '/host', detail: 'Leave the port out: it has a member of its own.' });
  return { ...place, host };
}

const missingSecret = (kind: Target['kind'], detail: string): Problem =>
  invalid({ pointer: `/${SECRETS_OF[kind][0]}`, detail });

/** Canonical, so that it is the same text after a restore. */
const stored = (place: Place, secret: SecretKind | null): string => canonicalJson({ ...place, secret });

function view({ place: text, enabled, kek_id: _id, sealed_key: _key, sealed_value: _value, ...row }: Row): Target {
  const { secret, ...place } = JSON.parse(text) as Place & { secret: SecretKind | null };
  return { ...row, enabled: enabled === 1, place, secret } as unknown as Target;
}

function taken(name: string): (error: Error) => never {
  return (error) => {
    if (!error.message.includes('UNIQUE')) throw error;
    throw new Problem('already_exists', `There is a target ${name} already.`, {
      errors: [{ pointer: '/name', detail: 'Another target has this name.' }],
    });
  };
}
