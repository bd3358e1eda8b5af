// Begins to add a passkey: what the browser is asked to make.
import { invalid, Problem } from '../../shared/ground/problems.ts';
import { beginRegistration } from '../../shared/kernel/access/second-factor/passkey-registration.ts';
import { passkeyBeginSchema, passkeyBegunSchema } from '../../shared/kernel/access/second-factor/passkey-schemas.ts';
import { findPolicy } from '../../shared/kernel/access/second-factor/policy.ts';
import { PASSKEY_NAMES, partyAt, relyingParty } from '../../shared/kernel/access/second-factor/relying-party.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { confirmOwner, OWNER_ASKED } from '../../shared/kernel/operation/confirm-owner.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const ACTION = 'account.second_factor.begin';

export const operation = defineOperation({
  id: 'beginOwnPasskey',
  method: 'POST',
  path: '/api/v1/account/second-factors/passkeys',
  access: { scope: 'any' },
  effect: 'immediate',
  // As an authenticator's.
  guarded: false,
  tag: 'Account',
  summary: 'Begin to add a passkey',
  description: `Answers what a browser needs to make a passkey (WebAuthn), for five minutes and one answer. It works under one name of the appliance, over TLS: one that the appliance is configured with or has in its certificate; that of the member origin, or the one by which this request reached it. By an address there are no passkeys (409). ${OWNER_ASKED} Changes application state immediately.`,
  body: passkeyBeginSchema,
  answers: { 200: { description: 'What the browser needs.', schema: passkeyBegunSchema } },
  problems: ['state_conflict', 'too_many_attempts'],
  audit: [ACTION],
  prepare: (context) =>
    confirmOwner(context.services, context, {
      action: ACTION,
      resource_type: 'user',
      resource_id: context.actor.user_id,
    }),
  async run({ services, request, tx, actor, body: { name, origin }, audit }) {
    const { settings } = services;
    const party = origin === undefined ? relyingParty(settings, request) : partyAt(settings, origin);
    if (!party && origin !== undefined) throw invalid({ pointer: '/origin', detail: PASSKEY_NAMES(settings.hostname) });
    if (!party) throw new Problem('state_conflict', PASSKEY_NAMES(settings.hostname));
    const user = await findUser(tx, actor.user_id!);
    const { creationOptions } = await import('../../shared/kernel/access/second-factor/passkey.ts');
    const registration = await beginRegistration(tx, services, user.id, { name, ...party });
    const { user_verification } = await findPolicy(tx);
    const options = await creationOptions(tx, registration, user, user_verification);
    const detail = { kind: 'passkey', name, rp_id: party.rp_id };
    audit({ action: ACTION, resource_type: 'user', resource_id: user.id, detail });
    return { body: { registration_id: registration.id, options } };
  },
});
