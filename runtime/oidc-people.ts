// Who signs in at the OpenID Connect provider: users of the appliance. The same check, the same slowing, the same second factor
// and the same audit log as at the management UI, and no session of it.
import { instant } from '../shared/ground/clock.ts';
import type { Transaction } from '../shared/ground/store/database.ts';
import { NOBODY } from '../shared/kernel/access/actor.ts';
import { askedOf, type UsedFactor, verifySecondFactor } from '../shared/kernel/access/second-factor/verify.ts';
import { isUnchanged, noteSignIn, verifySignIn } from '../shared/kernel/access/sign-in.ts';
import { enabledUserOf } from '../shared/kernel/access/subject.ts';
import { appendAudit } from '../shared/kernel/audit/audit.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import type { People } from '../shared/services/oidc/provider/people.ts';
import { personOfUser } from '../shared/services/oidc/provider/person-of.ts';
import { lastEnd } from '../shared/services/oidc/sessions/signing-in.ts';

const CODE =
  'This account has a second factor. Enter your password again, and a code of your authenticator or a recovery code. Passkeys work at the management UI only.';
const WRONG_CODE = 'This code is wrong, or it was used before.';
const ENROL = 'This account needs a second factor first: sign in to the management UI of this appliance, and add one.';

export function usersOfAppliance(services: Services): People {
  const { store, keys, clock } = services;
  return {
    async signIn(_organization, { username, password, code, source_address, request_id, client_id }) {
      const context = () => ({ at: instant(clock.now()), actor: NOBODY, request_id, source_address });
      const of = { resource_type: 'oidc_client', resource_id: client_id } as const;
      // The name that was typed is not kept: people type passwords into it.
      const refused = (tx: Transaction) =>
        appendAudit(
          tx,
          keys,
          context(),
          { action: 'oidc.session.refuse', ...of, outcome: 'failure' },
          { holdsLock: true },
        );
      const user = await verifySignIn(services, { name: username, password, source_address }, refused);
      if (!user) return null;
      return store.write(
        async (tx) => {
          if (!(await isUnchanged(tx, user))) {
            await refused(tx);
            return null;
          }
          const asked = await askedOf(tx, user);
          if (asked === 'enrol') return { wanting: ENROL };
          if (asked === 'factor' && code === '') return { wanting: CODE };
          let used: Exclude<UsedFactor, 'passkey'> | null = null;
          if (asked === 'factor') {
            used = await verifySecondFactor(tx, services, { user_id: user.id, source_address }, code);
            if (!used) {
              await refused(tx);
              return { wanting: WRONG_CODE };
            }
          }
          await noteSignIn(tx, services, user, source_address);
          const by = { user_id: user.id, name: user.name };
          const detail = used ? { detail: { factor: used } } : {};
          await appendAudit(
            tx,
            keys,
            context(),
            { action: 'oidc.session.start', ...of, ...detail, by },
            { holdsLock: true },
          );
          const person = personOfUser(user);
          return { person, amr: used ? ['pwd', 'otp', 'mfa'] : ['pwd'], ended: await lastEnd(tx, person.sub) };
        },
        { unlessHeld: true },
      );
    },
    async find(_organization, sub) {
      const user = await enabledUserOf(store, sub);
      return user && personOfUser(user);
    },
  };
}
