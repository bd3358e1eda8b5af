// The passkey that the browser made: from then on it signs its user in, after the password.
import { invalid } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { endSessions } from '../../shared/kernel/access/credentials.ts';
import { added } from '../../shared/kernel/access/second-factor/confirm-totp.ts';
import { refuseMoreFactors } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { takeRegistration } from '../../shared/kernel/access/second-factor/passkey-registration.ts';
import { passkeyConfirmSchema } from '../../shared/kernel/access/second-factor/passkey-schemas.ts';
import { findPolicy } from '../../shared/kernel/access/second-factor/policy.ts';
import { factorAddedSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const ACTION = 'account.second_factor.add';
const WRONG =
  'This passkey does not answer what was asked here, or did not check who its holder is. Begin again: what was asked is used up.';

export const operation = defineOperation({
  id: 'confirmOwnPasskey',
  method: 'POST',
  path: '/api/v1/account/second-factors/passkeys/{registration_id}/confirm',
  access: { scope: 'any' },
  effect: 'immediate',
  // As its beginning.
  guarded: false,
  tag: 'Account',
  summary: 'Add the passkey that the browser made',
  description:
    'Checks what the browser answered to the beginning: challenge, origin, name of the appliance, and signature. It is accepted once, whatever the result. Who has no recovery codes left gets ten. The user’s other sessions end: they were begun without it. Sessions at the OpenID Connect provider end as well. Changes application state immediately.',
  params: idParam('registration_id', 'Id from the beginning.'),
  body: passkeyConfirmSchema,
  answers: { 200: { description: 'The passkey, and the recovery codes.', schema: factorAddedSchema } },
  problems: ['resource_not_found', 'state_conflict', 'already_exists'],
  audit: [ACTION],
  async run({ services, request, tx, actor, params: { registration_id }, body, audit }) {
    const user_id = actor.user_id!;
    const event = { action: ACTION, resource_type: 'user', resource_id: user_id };
    const { addPasskey, createdPasskey } = await import('../../shared/kernel/access/second-factor/passkey.ts');
    const registration = await takeRegistration(tx, user_id, registration_id, request.now);
    const { user_verification } = await findPolicy(tx);
    const created = await createdPasskey(registration, body.credential, user_verification);
    if (!created) {
      audit({ ...event, outcome: 'failure', detail: { refused: 'passkey' } });
      return { refuse: invalid({ pointer: '/credential', detail: WRONG }) };
    }
    await refuseMoreFactors(tx, user_id);
    const id = await addPasskey(tx, services, user_id, registration, created);
    const made = await added(tx, services, user_id, id);
    const ended = await endSessions(tx, services, user_id, request.now, actor.credential_id);
    const { name, rp_id } = registration;
    audit({ ...event, detail: { kind: 'passkey', name, rp_id, ...ended } });
    return { body: made };
  },
});
