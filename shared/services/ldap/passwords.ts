// Setting passwords of the directory: what they have to be, and that only their hashes go on from here.
import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { invalid } from '../../ground/problems.ts';
import { component, described, instantSchema } from '../../ground/schemas/component.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { readSettings } from '../../platform/units/settings-store.ts';
import { argon2idHash, isHashOf } from './password-hash.ts';
import { type FormerHash, type Holder, knownHashes, saveHash, saveOwnHash } from './password-store.ts';
import { ldapSettings } from './settings.ts';

/** Earlier hashes that are kept, whatever the history is: a rollback brings the one back that was in force. */
const FORMER_LEAST = 8;

/** slapd takes longer ones; clients do not. */
const MOST = 256;

export const passwordSetSchema = component(
  'LdapPasswordSet',
  v.strictObject({
    password: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1, 'A password is missing.'),
        v.maxLength(MOST, `At most ${MOST} characters.`),
        v.regex(/^[^\p{Cc}]*$/u, 'Control characters are not accepted.'),
        v.description(
          'Write-only: at least as long as the settings say, without the name of the account, and none of the earlier ones that they name. Left out: one is generated.',
        ),
      ),
    ),
  }),
  { password: 'a passphrase of its own' },
);

export const passwordAnswerSchema = component(
  'LdapPassword',
  v.object({
    password: described(
      v.nullable(v.string()),
      'The generated one, which is in no other answer; null where one was sent.',
    ),
    set_at: instantSchema,
  }),
);

/** Read aloud and typed without doubt. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 5;

/** 100 random bits, in groups. */
export function generatedPassword(least: number): string {
  const groups = Math.max(GROUPS, Math.ceil((least + 1) / 5));
  const one = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: groups }, one).join('-');
}

/** The fault of a password, in words without it; null when it has none. */
function fault(password: string, name: string, least: number): string | null {
  if ([...password].length < least) return `At least ${least} characters.`;
  return password.toLowerCase().includes(name.toLowerCase()) ? 'It must not contain the name of the account.' : null;
}

export interface PreparedPassword {
  hash: string;
  /** What was kept when it was looked at, newest first. */
  known: readonly FormerHash[];
  /** Earlier ones that it must differ from. */
  history: number;
  password: string;
  /** Shown once; null where it was sent. */
  generated: string | null;
}

/** The slow part, before the transaction. @throws Problem 422 at `pointer` */
export async function preparePassword(
  db: Database,
  holder: Holder,
  name: string,
  sent: string | undefined,
  pointer = '/password',
): Promise<PreparedPassword> {
  const { password_min_length, password_history } = (await readSettings(db, ldapSettings)).saved;
  const password = sent ?? generatedPassword(password_min_length);
  const wrong = sent === undefined ? null : fault(sent, name, password_min_length);
  if (wrong) throw invalid({ pointer, detail: wrong });
  // The current one is the newest of the earlier ones.
  const known = await knownHashes(db, holder);
  await refuseKnown(password, known, password_history, pointer);
  const hash = await argon2idHash(password);
  return { hash, known, history: password_history, password, generated: sent === undefined ? password : null };
}

/** @throws Problem 422 at `pointer` */
async function refuseKnown(
  password: string,
  hashes: readonly FormerHash[],
  history: number,
  pointer: string,
): Promise<void> {
  for (const { hash } of hashes.slice(0, history)) {
    if (await isHashOf(hash, password))
      throw invalid({ pointer, detail: `It must differ from the last ${history} passwords.` });
  }
}

/** What somebody else set since it was looked at is history as well: nearly always nothing. @throws Problem as before */
export async function storePassword(
  tx: Transaction,
  shell: Parameters<typeof saveHash>[1],
  holder: Holder,
  { hash, known, history, password }: PreparedPassword,
): Promise<void> {
  const now = await knownHashes(tx, holder);
  const before = new Set(known.map((one) => one.hash));
  const since = now.slice(0, history).filter((one) => !before.has(one.hash));
  await refuseKnown(password, since, history, '/password');
  await saveHash(tx, shell, holder, { hash, former: formerBefore(now, history) });
}

const formerBefore = (now: readonly FormerHash[], history: number): readonly FormerHash[] =>
  now.slice(0, Math.max(history, FORMER_LEAST));

/**
 * Of a person: only while the password that was checked is still the one that is kept. False: it is another one by now, and
 * nothing was saved.
 */
export async function storeOwnPassword(
  tx: Transaction,
  shell: Parameters<typeof saveOwnHash>[1],
  { user_id, mark }: { user_id: string; mark: string },
  { hash, known, history }: PreparedPassword,
): Promise<boolean> {
  const now = await knownHashes(tx, { user_id });
  if (now[0]?.mark !== mark || now[0].hash !== known[0]?.hash) return false;
  await saveOwnHash(tx, shell, user_id, { hash, former: formerBefore(now, history) });
  return true;
}
