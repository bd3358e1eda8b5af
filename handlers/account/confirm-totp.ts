// The first code of an authenticator: from then on it is asked for at each sign-in.
import { invalid } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { endSessions } from '../../shared/kernel/access/credentials.ts';
import { confirmTotp } from '../../shared/kernel/access/second-factor/confirm-totp.ts';
import { factorAddedSchema, totpConfirmSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const ACTION = 'account.second_factor.add';

export const operation = defineOperation({
  id: 'confirmOwnTotp',
  method: 'POST',
  path: '/api/v1/account/second-factors/{factor_id}/confirm',
  access: { scope: 'any' },
  effect: 'immediate',
  // As its beginning.
  guarded: false,
  tag: 'Account',
  summary: 'Confirm an authenticator',
  description:
    'Takes the code that the app shows now. From then on the user signs in with the password and a code. Who has no recovery codes left gets ten. The user’s other sessions end: they were begun without it. Sessions at the OpenID Connect provider end as well. Wrong codes are slowed like a sign-in. Changes application state immediately.',
  params: idParam('factor_id', 'Id from the beginning.'),
  body: totpConfirmSchema,
  answers: { 200: { description: 'The authenticator, and the recovery codes.', schema: factorAddedSchema } },
  problems: ['resource_not_found', 'state_conflict', 'too_many_attempts', 'vault_keys_unusable'],
  audit: [ACTION],
  async run({ services, request, tx, actor, params: { factor_id }, body, audit }) {
    const user_id = actor.user_id!;
    const event = { action: ACTION, resource_type: 'user', resource_id: user_id };
    const of = { user_id, source_address: request.source_address };
    const made = await confirmTotp(tx, services, of, { factor_id, code: body.code });
    if (!made) {
      audit({ ...event, outcome: 'failure', detail: { refused: 'code' } });
      return { refuse: invalid({ pointer: '/code', detail: 'This is not the code that the app shows now.' }) };
    }
    const { kind, name } = made.factor;
    const ended = await endSessions(tx, services, user_id, request.now, actor.credential_id);
    audit({ ...event, detail: { kind, name, ...ended } });
    return { body: made };
  },
});
