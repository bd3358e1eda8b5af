// Looks after the OpenID Connect provider: what has run out goes, and signing keys are rotated when they are old.
import { instant } from '../../shared/ground/clock.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { appendAudit } from '../../shared/kernel/audit/audit.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import { enabledAmong } from '../../shared/services/ldap/enabled-people.ts';
import { sweepArtifacts } from '../../shared/services/oidc/artifacts/artifacts.ts';
import {
  forgetKeys,
  isOld,
  newKeyPem,
  rotateKeys,
  SIGNS_DAYS,
  signingKeys,
} from '../../shared/services/oidc/keys/signing-keys.ts';
import { directorySubjects, endOidcSessionsOf, sweepSessions } from '../../shared/services/oidc/sessions/sessions.ts';

export const scheduled = defineScheduled({
  id: 'lookAfterOidc',
  every: 60,
  description: `Removes sign-ins, codes and tokens of OpenID Connect that have run out, sessions of people of the directory who are disabled or gone, and signing keys that are not published any more; rotates the signing keys after ${SIGNS_DAYS} days.`,
  async run(services) {
    const { store, clock, keys } = services;
    const old = isOld(await signingKeys(store), clock.now());
    const pem = old ? await newKeyPem() : null;
    await store.write(async (tx) => {
      const now = Math.floor(clock.now().getTime() / 1000);
      await sweepArtifacts(tx, now);
      await sweepSessions(tx, now);
      // Whoever is disabled has nothing left that would open again with the account.
      const subjects = await directorySubjects(tx);
      const enabled = await enabledAmong(tx, subjects);
      for (const subject of subjects) if (!enabled.has(subject)) await endOidcSessionsOf(tx, subject, clock.now());
      await forgetKeys(tx, services);
      // Of two that found it old, one rotates.
      if (pem === null || !isOld(await signingKeys(tx), clock.now())) return;
      const detail = await rotateKeys(tx, services, pem);
      const context = {
        at: instant(clock.now()),
        actor: systemActor('clock'),
        request_id: 'lookAfterOidc',
        source_address: '',
      };
      const of = { resource_type: 'oidc_signing_key', resource_id: detail.signs, detail };
      await appendAudit(tx, keys, context, { action: 'oidc.signing_key.rotate', ...of }, { holdsLock: true });
    });
  },
});
