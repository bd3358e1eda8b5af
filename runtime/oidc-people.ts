// Who signs in at the OpenID Connect provider: users of the appliance. The same check, the same slowing and the same audit log as
// at the management UI, and no session of it.
import { instant } from '../shared/ground/clock.ts';
import { NOBODY } from '../shared/kernel/access/actor.ts';
import { noteSignIn, verifySignIn } from '../shared/kernel/access/sign-in.ts';
import { enabledUserOf, subjectOf } from '../shared/kernel/access/subject.ts';
import type { User } from '../shared/kernel/access/user.ts';
import { appendAudit } from '../shared/kernel/audit/audit.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import type { People, Person } from '../shared/services/oidc/provider/people.ts';

const personOf = ({ id, name, role, updated_at }: User): Person => ({
  sub: subjectOf(id),
  username: name,
  name,
  groups: [role],
  updated_at: Math.floor(Date.parse(updated_at) / 1000),
});

export function usersOfAppliance(services: Services): People {
  const { store, keys, clock } = services;
  return {
    async signIn(_organization, { username, password, source_address, request_id, client_id }) {
      const context = () => ({ at: instant(clock.now()), actor: NOBODY, request_id, source_address });
      const of = { resource_type: 'oidc_client', resource_id: client_id } as const;
      const user = await verifySignIn(services, { name: username, password, source_address }, (tx) =>
        // The name that was typed is not kept: people type passwords into it.
        appendAudit(
          tx,
          keys,
          context(),
          { action: 'oidc.session.refuse', ...of, outcome: 'failure' },
          { holdsLock: true },
        ),
      );
      if (!user) return null;
      await store.write(async (tx) => {
        await noteSignIn(tx, services, user, source_address);
        const by = { user_id: user.id, name: user.name };
        await appendAudit(tx, keys, context(), { action: 'oidc.session.start', ...of, by }, { holdsLock: true });
      });
      return personOf(user);
    },
    async find(_organization, sub) {
      const user = await enabledUserOf(store, sub);
      return user && personOf(user);
    },
  };
}
