// Who signs in at the OpenID Connect provider: users of one organization of the directory. slapd checks the password and counts
// failures, so that a lock is a lock wherever it came from; sources are slowed besides, as at every sign-in.
import { instant } from '../shared/ground/clock.ts';
import { Problem } from '../shared/ground/problems.ts';
import { NOBODY } from '../shared/kernel/access/actor.ts';
import { accountOf } from '../shared/kernel/access/sign-in.ts';
import { forgetFailures, inSlot, noteFailure, refuseIfThrottled } from '../shared/kernel/access/throttle.ts';
import { appendAudit } from '../shared/kernel/audit/audit.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { DirectoryFault } from '../shared/services/ldap/follow/socket.ts';
import {
  bindsAs,
  bindsAsNobody,
  type DirectoryPerson,
  directoryPerson,
  isAccountName,
} from '../shared/services/ldap/signing-in.ts';
import type { People, SignInAttempt } from '../shared/services/oidc/provider/people.ts';
import { personOfDirectory } from '../shared/services/oidc/provider/person-of.ts';
import { lastEnd } from '../shared/services/oidc/sessions/signing-in.ts';

export function usersOfDirectory(services: Services): People {
  const { store, keys, clock, host } = services;
  return {
    async signIn(organization, attempt) {
      const { username, password, source_address } = attempt;
      const uid = username.toLowerCase();
      const guesser = { source_address, account: accountOf(keys, `${organization}/${uid}`) };
      await refuseIfThrottled(store, guesser, clock.now());
      const { person, ended } = await inSlot(source_address, () => checked(services, organization, uid, password));
      await store.write(
        async (tx) => {
          if (person) await forgetFailures(tx, guesser);
          else await noteFailure(tx, guesser, clock.now());
          await appendAudit(tx, keys, contextOf(services, attempt), eventOf(attempt, organization, person), {
            holdsLock: true,
          });
        },
        { unlessHeld: true },
      );
      return person && { person: personOfDirectory(person), amr: ['pwd'], ended };
    },
    async find(organization, sub) {
      const person = await directoryPerson(host, store, organization, { entry_uuid: sub });
      return person && personOfDirectory(person);
    },
  };
}

/**
 * As much work for a name that nobody has as for a wrong password.
 * @throws Problem 409 while slapd does not answer
 */
async function checked({ store, host }: Services, organization: string, uid: string, password: string) {
  const found = await directoryPerson(host, store, organization, { uid });
  const person = isAccountName(uid) ? found : null;
  // Before the password is looked at, and for a name that nobody has as well.
  const ended = await lastEnd(store, person?.entry_uuid ?? '');
  try {
    const proven = person ? await bindsAs(host, person.dn, password) : await bindsAsNobody(host, password);
    return { person: proven ? person : null, ended };
  } catch (error) {
    throw error instanceof DirectoryFault ? new Problem('state_conflict', error.message) : error;
  }
}

const contextOf = ({ clock }: Services, { request_id, source_address }: SignInAttempt) => ({
  at: instant(clock.now()),
  actor: NOBODY,
  request_id,
  source_address,
});

/** The name that was typed is not kept where it was wrong: people type passwords into it. */
function eventOf({ client_id }: SignInAttempt, organization: string, person: DirectoryPerson | null) {
  const of = { resource_type: 'oidc_client', resource_id: client_id };
  return person
    ? { action: 'oidc.session.start', ...of, detail: { organization, uid: person.uid } }
    : { action: 'oidc.session.refuse', ...of, detail: { organization }, outcome: 'failure' as const };
}
