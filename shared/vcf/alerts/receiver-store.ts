// Receivers in the database. Their secrets are written here and read by whoever sends.
import { canonicalJson } from '../../ground/canonical-json.ts';
import { instant, newId } from '../../ground/clock.ts';
import { invalid, notFound, Problem } from '../../ground/problems.ts';
import { openEntry, type Sealed, sealEntry } from '../../ground/sealing/envelope.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, SqlValue, Transaction } from '../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../ground/store/pagination.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { placeOf } from './place-members.ts';
import { giveUp, tryNow } from './queue.ts';
import { type MailPlace, type Place, type Receiver, serverKey, serverOf } from './receiver.ts';
import type { ReceiverCreate, ReceiverUpdate } from './receiver-schemas.ts';
import { secretPlace } from './secret-place.ts';

export type SealShell = Pick<Services, 'clock' | 'entropy' | 'keyring'>;

/** More than these are a mistake of a script. */
export const RECEIVERS_MOST = 20;
const SECRET_BYTES = 32;

type Row = Omit<Receiver, 'enabled' | 'place' | 'has_secret'> & { enabled: number; place: string };
type Read = Row & { secret_for: string | null };

const COLUMNS = `r.*, s.server AS secret_for FROM alert_receiver r LEFT JOIN alert_receiver_secret s ON s.receiver_id = r.id`;

function view({ secret_for, ...row }: Read): Receiver {
  const place = JSON.parse(row.place) as Place;
  const has_secret = secret_for !== null && secret_for === serverKey(place);
  return { ...row, place, enabled: row.enabled === 1, has_secret } as Receiver;
}

/** By name. */
export async function listReceivers(
  db: Database,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Receiver>> {
  const after = cursor ? String(decodeCursor(cursor, 1)[0]) : '';
  const rows = await db.all<Read>(`SELECT ${COLUMNS} WHERE r.name > ? ORDER BY r.name LIMIT ?`, [after, limit + 1]);
  return pageOf(rows, limit, ({ name }) => [name], view);
}

export const allReceivers = async (db: Database): Promise<Receiver[]> =>
  (await db.all<Read>(`SELECT ${COLUMNS} ORDER BY r.name`)).map(view);

/** Those in use that take no message. One statement. */
export const failingReceivers = (db: Database): Promise<{ name: string; failing_since: string }[]> =>
  db.all(
    'SELECT name, failing_since FROM alert_receiver WHERE enabled = 1 AND failing_since IS NOT NULL ORDER BY name',
  );

/** @throws Problem 404 */
export async function findReceiver(db: Database, id: string): Promise<Receiver> {
  const row = await db.one<Read>(`SELECT ${COLUMNS} WHERE r.id = ?`, [id]);
  if (!row) throw notFound('This receiver');
  return view(row);
}

/** In the clear; null: none is stored, or it is for another server. @throws Problem 409 */
export async function receiverSecret(
  db: Database,
  { keyring }: Pick<Services, 'keyring'>,
  receiver: Receiver,
): Promise<string | null> {
  const row = await db.one<Sealed & { id: string; server: string }>(
    'SELECT id, server, kek_id, sealed_key, sealed_value FROM alert_receiver_secret WHERE receiver_id = ?',
    [receiver.id],
  );
  if (!row || row.server !== serverKey(serverOf(receiver))) return null;
  const key = await keyring.find(row.kek_id);
  try {
    return openEntry({ id: row.kek_id, key: key! }, secretPlace(row.id), row);
  } catch {
    const again = receiver.kind === 'webhook' ? 'Make a new one.' : 'Enter it again.';
    throw new Problem(
      'vault_value_unreadable',
      `The secret of the receiver ${receiver.name} can’t be opened. ${again}`,
    );
  }
}

/** @throws Problem 409, 422 */
export async function createReceiver(tx: Transaction, shell: SealShell, draft: ReceiverCreate): Promise<Receiver> {
  const { count } = (await tx.one<{ count: number }>('SELECT count(*) AS count FROM alert_receiver'))!;
  if (count >= RECEIVERS_MOST)
    throw new Problem('state_conflict', `There are ${RECEIVERS_MOST} receivers, which is the most.`);
  const { kind, name, enabled = true, severity = 'warning' } = draft;
  const place = placeOf(kind, draft, null);
  refuseHalfLogin(place, draft.password !== undefined, false);
  const id = newId('receiver', shell.entropy);
  const at = instant(shell.clock.now());
  const row = {
    ...{ id, name, kind, enabled: enabled ? 1 : 0, severity, place: canonicalJson(place), sha256: null },
    ...{ revision: 1, created_at: at, updated_at: at },
  };
  await tx.run(build('alert_receiver').insert(row as Record<string, SqlValue>)).catch(taken(name));
  if (draft.password !== undefined) await keepSecret(tx, shell, id, place, draft.password);
  return findReceiver(tx, id);
}

/**
 * Members that are not named stay. A secret and a confirmed certificate are for one server: where that becomes another one, the
 * secret has to be typed or made again, and the certificate to be confirmed.
 * @throws Problem 404, 409, 412, 422
 */
export async function updateReceiver(
  tx: Transaction,
  shell: SealShell,
  id: string,
  patch: ReceiverUpdate,
  if_match: Precondition,
): Promise<{ receiver: Receiver; changed: string[] }> {
  const before = await findReceiver(tx, id);
  requireRevision(if_match, before.revision);
  const { password, ...open } = patch;
  const place = placeOf(before.kind, password === undefined ? open : patch, before.place);
  const other = serverKey(place) !== serverKey(before.place);
  refuseHalfLogin(place, password !== undefined, before.has_secret && !other);
  const next = {
    name: patch.name ?? before.name,
    enabled: patch.enabled ?? before.enabled,
    severity: patch.severity ?? before.severity,
  };
  const changed = [
    ...(['name', 'enabled', 'severity'] as const).filter((member) => next[member] !== before[member]),
    ...Object.keys(place).filter((member) => !same(member, place, before.place)),
    ...(password === undefined ? [] : ['password']),
  ];
  if (changed.length === 0) return { receiver: before, changed };
  const now = shell.clock.now();
  const row = {
    ...{ ...next, enabled: next.enabled ? 1 : 0, place: canonicalJson(place) },
    ...{ sha256: other ? null : before.sha256, failing_since: null, last_reason: '' },
    ...{ revision: before.revision + 1, updated_at: instant(now) },
  };
  await tx.run(build('alert_receiver').where('id', id).update(row)).catch(taken(next.name));
  const login = before.kind !== 'mail' || (place as MailPlace).username !== '';
  if (other || !login) await tx.run('DELETE FROM alert_receiver_secret WHERE receiver_id = ?', [id]);
  if (password !== undefined) await keepSecret(tx, shell, id, place, password);
  if (next.enabled) await tryNow(tx, id, now);
  else await giveUp(tx, id, now, 'The receiver was switched off.');
  return { receiver: await findReceiver(tx, id), changed };
}

const same = (member: string, one: Place, other: Place): boolean => {
  const [here, there] = [one, other].map((place) => (place as unknown as Record<string, unknown>)[member]);
  return JSON.stringify(here) === JSON.stringify(there);
};

/** A user name and a password come together. @throws Problem 422 */
function refuseHalfLogin(place: Place, typed: boolean, stored: boolean): void {
  if (!('username' in place)) return;
  if (place.username !== '' && !typed && !stored)
    throw invalid({ pointer: '/password', detail: 'The password of the user, for this very server, is missing.' });
  if (place.username === '' && typed)
    throw invalid({ pointer: '/username', detail: 'A password without a user name: enter both, or neither.' });
}

/** Inside the write transaction, so that no other process can rotate meanwhile. */
async function keepSecret(tx: Transaction, shell: SealShell, id: string, place: Place, value: string): Promise<void> {
  const { keyring, entropy, clock } = shell;
  const row_id = newId('secret', entropy);
  const at = instant(clock.now());
  await tx.run('DELETE FROM alert_receiver_secret WHERE receiver_id = ?', [id]);
  const sealed = sealEntry(await keyring.current(), secretPlace(row_id), value, entropy);
  const row = { id: row_id, receiver_id: id, server: serverKey(place), ...sealed, created_at: at, updated_at: at };
  await tx.run(build('alert_receiver_secret').insert(row));
}

/** A new signing secret; the former one counts no more. It is in no other answer. @throws Problem 404, 409 */
export async function makeSecret(
  tx: Transaction,
  shell: SealShell,
  id: string,
): Promise<{ receiver: Receiver; secret: string }> {
  const { kind, place, name } = await findReceiver(tx, id);
  if (kind !== 'webhook')
    throw new Problem('state_conflict', `Only a webhook is signed: ${name} is a receiver of another kind.`);
  const secret = shell.entropy.bytes(SECRET_BYTES).toString('base64url');
  await keepSecret(tx, shell, id, place, secret);
  const now = shell.clock.now();
  await tx.run(
    `UPDATE alert_receiver SET failing_since = NULL, last_reason = '', revision = revision + 1, updated_at = ? WHERE id = ?`,
    [instant(now), id],
  );
  await tryNow(tx, id, now);
  return { receiver: await findReceiver(tx, id), secret };
}

/** @throws Problem 404; 409 where the receiver is another server meanwhile */
export async function confirmCertificate(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  seen: Receiver,
  sha256: string,
): Promise<Receiver> {
  const { place } = await findReceiver(tx, seen.id);
  if (serverKey(place) !== serverKey(seen.place))
    throw new Problem('state_conflict', 'The receiver was changed meanwhile.');
  const now = clock.now();
  await tx.run(
    `UPDATE alert_receiver SET sha256 = ?, failing_since = NULL, last_reason = '', revision = revision + 1, updated_at = ?
     WHERE id = ?`,
    [sha256, instant(now), seen.id],
  );
  await tryNow(tx, seen.id, now);
  return findReceiver(tx, seen.id);
}

/** Its secret and its messages go with it. @throws Problem 404, 412 */
export async function removeReceiver(tx: Transaction, id: string, if_match: Precondition): Promise<Receiver> {
  const receiver = await findReceiver(tx, id);
  requireRevision(if_match, receiver.revision);
  await tx.run('DELETE FROM alert_receiver WHERE id = ?', [id]);
  return receiver;
}

const taken =
  (name: string) =>
  (error: unknown): never => {
    if (!/UNIQUE/.test((error as Error).message)) throw error;
    throw new Problem('already_exists', `There is a receiver named ${name} already.`, {
      errors: [{ pointer: '/name', detail: 'Another receiver has this name.' }],
    });
  };
