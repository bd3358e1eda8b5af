// Brings what is chosen of an archive back: saved in one transaction, applied by the next reviewed apply.
import type { Choice } from '../../shared/appliance/archive/choose.ts';
import type { Opened } from '../../shared/appliance/archive/compared.ts';
import { ARCHIVES_PATH, ARCHIVES_TAG } from '../../shared/appliance/archive/kept.ts';
import type { LetIn } from '../../shared/appliance/archive/lets-in.ts';
import {
  type ArchiveRestore,
  archiveParam,
  archiveRestoreSchema,
  restoredSchema,
} from '../../shared/appliance/archive/schemas.ts';
import { invalid, Problem } from '../../shared/ground/problems.ts';
import type { Actor } from '../../shared/kernel/access/actor.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import type { RequestFacts } from '../../shared/kernel/operation/operation.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { confirmOwner } from '../../shared/services/kms/trust/confirm.ts';

interface Prepared {
  opened: Opened;
  snapshot: string | null;
}

export const operation = defineOperation({
  id: 'restoreArchive',
  method: 'POST',
  path: `${ARCHIVES_PATH}/{archive_id}/restore`,
  access: { scope: 'write:archives' },
  effect: 'desired-state',
  tag: ARCHIVES_TAG,
  summary: 'Restore an archive',
  description:
    'Saves desired state only, all of it or nothing: what is chosen of the archive becomes what is saved, and the next reviewed apply brings it to the host; vaults, certificates and users of the depot take effect at once. It needs the write scope of each unit that it changes. A copy of the database is kept before. While it runs, other changes are refused with 423. In the moment of its one transaction, a second or so for 100,000 rows, so are signing in and ending access, with `Retry-After: 1`, and the OpenID Connect provider answers 503 (`temporarily_unavailable`); reading goes on. What would be lost by a refusal waits for the end of that transaction: keys that KMIP clients ask for, machines that boot, a terminal that opens or ends, steps of jobs, and what the appliance writes by itself. Of a plain JSON file of schema 2 the tables that it has are restored; see `unplaced` of its comparison for the rest. Of key management it only adds: keys, providers and clients that are missing. A provider is known by its id; one that only has the name of another gets another name. A client that was removed or revoked here, and the material of a key that was erased here, stay so, and what the archive remembers of those is joined; an appliance that remembers nothing of it has them back. When it gives a KMIP client access to keys (a new one, or one whose certificate would no longer be revoked), it asks for the own password, or with a token for the password of the token’s user: whoever brings an archive may have written it. `lets_in` of its comparison and of a dry run names those clients; wrong guesses are recorded, and slowed like a sign-in. It is refused, naming every row that stands in the way, when rows would name what is not there, and when no management listener would be left.',
  params: archiveParam,
  body: archiveRestoreSchema,
  answers: { 200: { description: 'What was restored.', schema: restoredSchema } },
  problems: [
    'resource_not_found',
    'state_conflict',
    'no_management_listener',
    'vault_keys_unusable',
    'too_many_attempts',
  ],
  audit: ['archive.restore'],
  ownsAll: true,
  prepare: (asked) =>
    prepareRestore(asked, (lets_in) => {
      const { services, actor, request, params, body } = asked;
      const { own_password = '' } = body;
      if (own_password === '') throw unconfirmed(lets_in);
      const event = { action: 'archive.restore', resource_type: 'archive', resource_id: params.archive_id };
      return confirmOwner(services, { actor, request, body: { own_password } }, event);
    }),
  release: (prepared) => (prepared as Prepared).opened.close(),
  async run({ tx, services, actor, body, audit, prepared, afterCommit }) {
    const { opened, snapshot } = prepared as Prepared;
    const { archive, manifest } = opened;
    const choice = choiceOf(body);
    const [{ restoreState }, { unitsOf }, { totalOf }, { lookAtAllAgain }] = await Promise.all([
      import('../../shared/appliance/archive/restore.ts'),
      import('../../shared/appliance/archive/compared.ts'),
      import('../../shared/appliance/archive/difference.ts'),
      import('../../shared/appliance/apply/look-again.ts'),
    ]);
    const { differences, followed, lets_in } = await restoreState(tx, services, actor, opened, choice).catch(
      atTheUnits,
    );
    const restored = { snapshot, units: unitsOf(differences), followed, lets_in };
    if (differences.length === 0) return { body: restored, unchanged: true };
    const collections = Object.fromEntries(
      differences.map((each) => [`${each.part.id}/${each.collection}`, totalOf(each)]),
    );
    const { created_at: made_at, host_name } = manifest;
    const detail = { name: archive.name, made_at, host_name, mode: choice.mode, collections, snapshot, lets_in };
    audit({ action: 'archive.restore', resource_type: 'archive', resource_id: archive.id, detail });
    afterCommit(() => lookAtAllAgain(services.host));
    return { body: restored };
  },
});

interface Asked {
  services: Services;
  actor: Actor;
  request: RequestFacts;
  params: { archive_id: string };
  body: ArchiveRestore;
}

/** `confirm` is told of the KMIP clients that would be let in, if any, before anything is kept. @throws Problem */
export async function prepareRestore(
  { services, actor, request, params, body }: Asked,
  confirm: (lets_in: readonly LetIn[]) => Promise<void>,
): Promise<Prepared> {
  const { beforeRestore, openKept } = await import('../../shared/appliance/archive/compared.ts');
  const opened = await openKept(services, params.archive_id, body);
  try {
    const { dry_run } = request;
    return { opened, snapshot: await beforeRestore(services, actor, opened, choiceOf(body), { dry_run, confirm }) };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Clients that are named in a refusal. */
const NAMED_MOST = 10;

/** No guess was made: nothing is counted. */
function unconfirmed(lets_in: readonly LetIn[]): Problem {
  const named = lets_in.slice(0, NAMED_MOST).map(({ name, provider }) => `${name} (${provider})`);
  const more = lets_in.length > NAMED_MOST ? ` and ${lets_in.length - NAMED_MOST} more` : '';
  const detail = `This restore lets KMIP clients in to keys: ${named.join(', ')}${more}. It needs your password.`;
  return invalid({ pointer: '/own_password', detail });
}

const choiceOf = ({ mode = 'replace', units }: ArchiveRestore): Choice => ({ mode, units: units ?? null });

/** That nobody could manage the appliance any more is a fault of the choice. */
function atTheUnits(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'no_management_listener') throw error;
  const detail = 'The interfaces of the archive leave no management listener. Leave the network out.';
  throw new Problem(error.code, error.message, { ...error.members, errors: [{ pointer: '/units', detail }] });
}
