// The form of the public pages with which people of the directory change their own passwords.
import * as v from 'valibot';
import { requireOwnPasswords } from '../../shared/appliance/overview/own-passwords.ts';
import { instant } from '../../shared/ground/clock.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { invalid, Problem } from '../../shared/ground/problems.ts';
import { NOBODY } from '../../shared/kernel/access/actor.ts';
import { accountOf } from '../../shared/kernel/access/sign-in.ts';
import { forgetFailures, inSlot, noteFailure, refuseIfThrottled } from '../../shared/kernel/access/throttle.ts';
import { type AuditEvent, appendAudit } from '../../shared/kernel/audit/audit.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { RequestFacts } from '../../shared/kernel/operation/operation.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import {
  accountMeant,
  knowsPassword,
  meantBy,
  type OwnAccount,
  requireInForce,
} from '../../shared/services/ldap/own-password.ts';
import { isHashOf } from '../../shared/services/ldap/password-hash.ts';
import { preparePassword, storeOwnPassword } from '../../shared/services/ldap/passwords.ts';

const PAGE = pagePath('public-directory-password');
const CHANGED = 'ldap.user.own_password';
const REFUSED = 'ldap.user.own_password.refuse';

const secret = (missing: string) =>
  v.pipe(
    v.string(),
    v.minLength(1, missing),
    v.maxLength(256, 'At most 256 characters.'),
    v.regex(/^[^\p{Cc}]*$/u, 'Control characters are not accepted.'),
  );

const changedMeanwhile = (): Problem =>
  new Problem(
    'state_conflict',
    'The password was changed in the meantime. Try again with the password that is in force now.',
  );

interface Prepared {
  event: AuditEvent;
  in_force: boolean;
}

const contextOf = ({ clock }: Services, { id, source_address }: RequestFacts) => ({
  at: instant(clock.now()),
  actor: NOBODY,
  request_id: id,
  source_address,
});

const changed = ({ user_id, uid, slug }: OwnAccount): AuditEvent => ({
  action: CHANGED,
  resource_type: 'ldap_user',
  resource_id: user_id,
  detail: { organization: slug, title: uid },
});

export const operation = defineForm(
  {
    id: 'publicChangeDirectoryPasswordForm',
    plane: 'public',
    path: PAGE,
    access: 'public',
    tag: 'LDAP',
    summary: 'Change the own password in the directory',
    description:
      'A person’s own password is data and no configuration of the host: it takes effect at once, without an apply, and is kept by every later one. slapd is asked with the former password, so that failures and locks count where they count for every client; a password that has expired, or that has to be changed, is enough. Length and history are looked at here, since slapd is given a hash (argon2id) and never the password. The hash is saved before slapd has it; where slapd does not answer then, it is brought as soon as slapd does, and the former one is accepted until that. The person’s sessions at the OpenID Connect provider end. Unknown names are answered like wrong passwords, and both are slowed by name and address. Refused (409) while another password that an administrator has set waits for its apply. Nothing answers until the settings of the public pages offer it, nor where the directory is not in force at the interface that was called.',
    effect: 'immediate',
    preparesHost: true,
    // The password is changed before the second event: that one is written whatever has begun meanwhile.
    guarded: false,
    audit: [CHANGED, REFUSED],
    problems: ['state_conflict', 'too_many_attempts'],
    body: v.strictObject({
      username: v.pipe(v.string(), v.minLength(1, 'Enter a user name.'), v.maxLength(320, 'At most 320 characters.')),
      password: secret('Enter the password that you have now.'),
      new_password: secret('Enter a new password.'),
      new_password_again: v.string(),
    }),
    async prepare({ services, request, body }): Promise<Prepared> {
      const { store, keys, clock, host, logger } = services;
      const applied = await requireOwnPasswords(services, request.connection);
      if (body.new_password !== body.new_password_again)
        throw invalid({ pointer: '/new_password_again', detail: 'It differs from the new password.' });
      const meant = meantBy(applied, body.username);
      const name = meant ? `${meant.slug}/${meant.uid}` : body.username.toLowerCase();
      const guesser = { source_address: request.source_address, account: accountOf(keys, name) };
      await refuseIfThrottled(store, guesser, clock.now());
      const account = await accountMeant(store, applied, meant);
      const bound = await inSlot(request.source_address, () => knowsPassword(host, account, body.password));
      if (account === null || bound === null) {
        // The name that was typed is not kept: people type passwords into it.
        const event: AuditEvent = {
          action: REFUSED,
          resource_type: 'ldap_user',
          resource_id: null,
          outcome: 'failure',
        };
        await store.write(async (tx) => {
          await noteFailure(tx, guesser, clock.now());
          await appendAudit(tx, keys, contextOf(services, request), event, { holdsLock: true });
        });
        throw invalid({ pointer: '/password', detail: 'The user name or the password is wrong.' });
      }
      requireInForce(account);
      const holder = { user_id: account.user_id };
      const made = await preparePassword(store, holder, account.uid, body.new_password, '/new_password');
      // slapd may still take the one before that: whoever knows no more than it replaces nothing.
      if (!(await isHashOf(made.known[0]?.hash ?? '', body.password))) throw changedMeanwhile();
      const event = changed(account);
      const { endOidcSessionsOf } = await import('../../shared/services/oidc/sessions/sessions.ts');
      await store.write(async (tx) => {
        if (!(await storeOwnPassword(tx, services, account, made))) throw changedMeanwhile();
        await forgetFailures(tx, guesser);
        // Whoever was signed in by the former password is signed in no more.
        const oidc_sessions_ended = await endOidcSessionsOf(tx, account.entry_uuid, clock.now());
        const detail = { ...event.detail, begun: true, expired: bound === 'expired', oidc_sessions_ended };
        const begun = { ...event, detail };
        await appendAudit(tx, keys, contextOf(services, request), begun);
      });
      const { settlePasswords } = await import('../../shared/services/ldap/follow/settle.ts');
      const in_force = await settlePasswords(services, applied, account.user_id, endOidcSessionsOf).catch(
        (error: Error) => {
          logger.warn('a password of the directory is brought later', { failure: { message: error.message } });
          return false;
        },
      );
      return { event, in_force };
    },
    async run({ prepared, audit }) {
      const { event, in_force } = prepared as Prepared;
      audit({ ...event, detail: { ...event.detail, in_force } });
      return { body: { in_force } };
    },
  },
  {
    page: PAGE,
    secret: ['password', 'new_password', 'new_password_again'],
    decode: (fields) => ({
      username: fields.text('username'),
      password: fields.values.get('password') ?? '',
      new_password: fields.values.get('new_password') ?? '',
      new_password_again: fields.values.get('new_password_again') ?? '',
    }),
    done: ({ body }) => ({ location: `${PAGE}?changed=${(body as { in_force: boolean }).in_force ? 'now' : 'soon'}` }),
  },
);
