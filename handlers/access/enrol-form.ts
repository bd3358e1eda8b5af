// Who must have a second factor and has none adds an authenticator before anything else opens: its secret, shown once.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { beginTotp } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { totpNameSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { findStep, stepCookie } from '../../shared/kernel/access/second-factor/sign-in-step.ts';
import { base32, otpauthUri } from '../../shared/kernel/access/second-factor/totp.ts';
import { askedOf } from '../../shared/kernel/access/second-factor/verify.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineForm(
  {
    id: 'enrolForm',
    path: `${pagePath('sign-in')}/enrol`,
    access: 'public',
    tag: 'Authentication',
    summary: 'Sign in: begin to add an authenticator',
    description:
      'After the right password of a user whose role must have a second factor and who has none. Answers the secret for the app, once. A user who has a second factor is refused: that one has to be used.',
    effect: 'immediate',
    guarded: false,
    audit: ['account.second_factor.begin'],
    problems: ['session_required', 'state_conflict', 'vault_keys_unusable'],
    body: totpNameSchema,
    async run({ services, request, tx, body, audit }) {
      const step = await findStep(tx, services, stepCookie(request.cookies, request.secure), request);
      const user = { id: step.user_id, name: step.name };
      if ((await askedOf(tx, { id: user.id, role: step.role })) !== 'enrol') throw new Problem('state_conflict', HAS);
      const { id, secret } = await beginTotp(tx, services, user.id, body.name);
      audit({
        action: 'account.second_factor.begin',
        resource_type: 'user',
        resource_id: user.id,
        by: { user_id: user.id, name: user.name },
        detail: { kind: 'totp', name: body.name, at_sign_in: true },
      });
      const otpauth_uri = otpauthUri(secret, { issuer: services.settings.hostname, account: user.name });
      return { body: { factor_id: id, secret: base32(secret), otpauth_uri } };
    },
  },
  {
    page: `${pagePath('sign-in')}/enrol`,
    decode: (fields) => ({ name: fields.text('name') }),
    done: () => ({ location: `${pagePath('sign-in')}/enrol` }),
    shows: true,
  },
);

const HAS = 'You have a second factor already, or need none any more. Sign in again.';
