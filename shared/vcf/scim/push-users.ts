// One user at the target: made, changed, deactivated or removed, or refused with the reason.
import { Problem } from '../../ground/problems.ts';
import type { UserStep } from './difference.ts';
import { ScimRefusal } from './faults.ts';
import type { PushShell } from './push-shell.ts';
import { type RemoteUser, remoteUserSchema, userBody } from './resources.ts';
import { digestOf, type WantedUser } from './wanted.ts';

interface Shell extends Pick<PushShell, 'scim' | 'book'> {
  /** All users that the target showed. */
  listed: readonly RemoteUser[];
}

/** Its id at the target, where it is there and is to be; else null. @throws Problem; ScimRefusal */
export async function pushUser(shell: Shell, step: UserStep): Promise<string | null> {
  const { scim, book } = shell;
  switch (step.does) {
    case 'keep':
      await book.note('user', step, 'unchanged', { sent_sha256: digestOf(step.user) });
      return step.id;
    case 'rest':
      await book.note('user', step, 'deactivated');
      return null;
    case 'deactivate':
      await scim.patch('Users', step.id, [{ op: 'replace', path: 'active', value: false }]);
      await book.note('user', step, 'deactivated');
      return null;
    case 'remove':
      await scim.remove('Users', step.id);
      await book.note('user', step, 'removed');
      return null;
    case 'update':
      await scim.replace('Users', step.id, userBody(step.user));
      await book.note('user', step, 'updated', { sent_sha256: digestOf(step.user) });
      return step.id;
    default:
      return create(shell, step.user, step);
  }
}

async function create({ scim, book, listed }: Shell, user: WantedUser, about: UserStep): Promise<string> {
  const sent = { sent_sha256: digestOf(user) };
  try {
    const id = await scim.create('Users', userBody(user));
    await book.note('user', about, 'created', sent);
    return id;
  } catch (error) {
    if (!(error instanceof ScimRefusal) || !error.isConflict) throw error;
    const there = named(listed, user) ?? (await sameName({ scim }, user));
    if (there?.externalId !== user.external_id) throw conflict(error, user, there);
    await scim.replace('Users', there.id, userBody(user));
    await book.note('user', about, 'updated', sent);
    return there.id;
  }
}

/** Among those that were read; whatever the case, as targets compare names. */
const named = (listed: readonly RemoteUser[], { username }: WantedUser): RemoteUser | undefined =>
  listed.find(({ userName }) => userName?.toLowerCase() === username.toLowerCase());

/** Whoever has the name since, or was not in the list; null where the target does not tell. */
async function sameName({ scim }: Pick<Shell, 'scim'>, { username }: WantedUser): Promise<RemoteUser | null> {
  return scim.find('Users', 'userName', username, remoteUserSchema).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'remote_refused') return null;
    throw error;
  });
}

function conflict(refusal: ScimRefusal, { username }: WantedUser, there: RemoteUser | null): ScimRefusal {
  const says = there
    ? `The target already has a user ${username}, who was not made from here. Rename or delete that user there, then push again.`
    : `The target refuses the name ${username} as taken, but does not list a user of that name. Look for the user there, then push again.`;
  return new ScimRefusal(refusal.status, refusal.scim_type, `${says} ${refusal.message}`);
}
