// Ends signing in at the external provider: what the browser brings back is redeemed, and its person let in.
import * as v from 'valibot';
import { instant } from '../../../shared/ground/clock.ts';
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { Problem } from '../../../shared/ground/problems.ts';
import type { Transaction } from '../../../shared/ground/store/database.ts';
import { NOBODY } from '../../../shared/kernel/access/actor.ts';
import { forAudit } from '../../../shared/kernel/access/ended-words.ts';
import {
  type ExternalIdentity,
  recognise,
  roleOf,
  userOf,
  withdraw,
} from '../../../shared/kernel/access/external/people.ts';
import { findProvider, isUsable, type UsableProvider } from '../../../shared/kernel/access/external/provider.ts';
import {
  externalCookie,
  externalCookieHeader,
  followingFrom,
  notUnderWay,
  takeSignIn,
} from '../../../shared/kernel/access/external/under-way.ts';
import { relyingParty } from '../../../shared/kernel/access/second-factor/relying-party.ts';
import { beginStep, stepCookieHeader } from '../../../shared/kernel/access/second-factor/sign-in-step.ts';
import { askedOf } from '../../../shared/kernel/access/second-factor/verify.ts';
import { noteFailure, refuseIfThrottled } from '../../../shared/kernel/access/throttle.ts';
import type { User } from '../../../shared/kernel/access/user.ts';
import { type AuditEvent, appendAudit } from '../../../shared/kernel/audit/audit.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import type { RequestFacts } from '../../../shared/kernel/operation/operation.ts';
import type { Services } from '../../../shared/kernel/operation/services.ts';
import type { Returned } from '../../../shared/vcf/external-sign-in/flow.ts';
import { externalGuesser } from '../../forms/external-sign-in.ts';
import { letIn } from '../../forms/let-in.ts';
import { SECOND_STEPS } from '../../forms/sign-in-form.ts';

interface Prepared {
  provider: UsableProvider;
  identity: ExternalIdentity;
  return_to: string;
  /** Of the account as it was when the provider's answer had come; undefined: there was none. */
  revision: number | undefined;
}

const refusal = (refused: string, more: object = {}): AuditEvent => ({
  action: 'session.refuse',
  resource_type: 'session',
  resource_id: null,
  outcome: 'failure',
  detail: { refused, ...more },
});

/**
 * What does not stand up counts as a failed sign-in; a provider that can't be asked does not. Nor does what this browser did not
 * begin: nobody guesses 256 bits, and any page could send browsers here until their network has to wait with its passwords too.
 * For the same reason it leaves no audit row.
 */
async function redeemed(services: Services, request: RequestFacts, returned: Returned): Promise<Prepared> {
  const { store, keys, clock } = services;
  const { source_address, cookies, secure, id: request_id } = request;
  const guesser = externalGuesser(keys, source_address);
  await refuseIfThrottled(store, guesser, request.now);
  const id = externalCookie(cookies, secure);
  if (id === null) throw notUnderWay();
  const taken = await store.write((tx) => takeSignIn(tx, services, { id, state: returned.state }));
  if (taken === null) throw notUnderWay();
  try {
    const provider = await findProvider(store);
    if (!isUsable(provider) || provider.revision !== taken.provider_revision)
      throw new Problem('external_sign_in_refused', 'The external provider was changed meanwhile. Begin again.');
    const { redeem } = await import('../../../shared/vcf/external-sign-in/flow.ts');
    const questions = { ...followingFrom(keys, id), state: returned.state, redirect_uri: taken.redirect_uri };
    const identity = await redeem(services, provider, returned, questions);
    const { revision } = (await userOf(store, identity)) ?? {};
    return { provider, identity, return_to: taken.return_to, revision };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await store.write(async (tx) => {
      if (error.code === 'external_sign_in_refused') await noteFailure(tx, guesser, clock.now());
      const who = { at: instant(clock.now()), actor: NOBODY, request_id, source_address };
      await appendAudit(tx, keys, who, refusal('external', { code: error.code }), { holdsLock: true });
    });
    throw error;
  }
}

/** What somebody still had here ends with the last group that gave a role; the answer refuses, so that this is saved. */
async function withdrawn(tx: Transaction, services: Services, { id }: User, who: object): Promise<Partial<AuditEvent>> {
  const ended = forAudit(await withdraw(tx, services, id));
  return { resource_type: 'user', resource_id: id, detail: { refused: 'no_role', ...who, ...ended } };
}

const text = (most: number) => v.optional(v.pipe(v.string(), v.maxLength(most)));

export const operation = defineForm(
  {
    id: 'finishExternalSignInForm',
    path: `${pagePath('sign-in')}/external/finish`,
    access: 'public',
    tag: 'Authentication',
    summary: 'Sign in at the external provider',
    description:
      'Takes what the external provider sent the browser back with: once, within ten minutes, from the browser that began. Issuer, state, nonce, PKCE and the signature of the ID token are checked. The role is the highest of the person’s groups; without one the sign-in is refused, and the sessions and API tokens that the person has here end. A second factor of this appliance is asked for as after a password, unless the ID token names one that is trusted. Failures are slowed as those of passwords are. While an apply runs, somebody who is new here, or whose groups now give more, is told to wait (423).',
    effect: 'immediate',
    guarded: false,
    audit: ['session.start', 'session.second_factor', 'session.refuse', 'user.create', 'user.update'],
    problems: [
      ...(['external_sign_in_refused', 'too_many_attempts', 'mutation_locked', 'target_refused'] as const),
      ...(['certificate_changed', 'remote_unreachable', 'remote_timeout', 'remote_not_tls'] as const),
      ...(['remote_tls_too_old', 'remote_answer_unusable', 'vault_value_unreadable', 'vault_keys_unusable'] as const),
    ],
    body: v.strictObject({
      state: v.pipe(v.string(), v.maxLength(128)),
      code: text(3072),
      iss: text(1024),
      error: text(128),
    }),
    prepare: ({ services, request, body }) => redeemed(services, request, body),
    async run(context) {
      const { services, request, tx, audit, prepared } = context;
      const { provider, identity, return_to, revision } = prepared as Prepared;
      const { source_address, secure } = request;
      const who = { issuer: identity.issuer, subject: identity.subject };
      const refuse = (why: string, sentence: string, event: Partial<AuditEvent> = {}) => {
        audit({ ...refusal(why, who), ...event });
        return { refuse: new Problem('external_sign_in_refused', sentence) };
      };
      const now = await findProvider(tx);
      if (now?.revision !== provider.revision || now.created_at !== provider.created_at || !isUsable(now))
        return refuse('external', 'The external provider was changed meanwhile. Begin again.');
      const role = roleOf(identity.groups, provider.roles);
      const known = await userOf(tx, identity);
      if (role === null) {
        const sentence = `You are known at ${provider.name}, but none of your groups there has a role here.`;
        return refuse('no_role', sentence, known && (await withdrawn(tx, services, known, who)));
      }
      if (known?.enabled === false) return refuse('disabled', 'Your account is disabled on this appliance.');
      if (known && revision !== undefined && known.revision !== revision)
        return refuse('changed', 'Your account was changed, or your sessions were ended, meanwhile. Begin again.');
      const { user, made, role_before } = await recognise(tx, services, identity, role);
      const about = { resource_type: 'user', resource_id: user.id, by: { user_id: user.id, name: user.name } };
      if (made) audit({ action: 'user.create', ...about, detail: { name: user.name, role, external: who } });
      if (role_before)
        audit({ action: 'user.update', ...about, detail: { name: user.name, role, role_before, external: who } });
      const ended = externalCookieHeader('', secure);
      const trusted = identity.contexts.some((context) => provider.trusted_contexts.includes(context));
      const asked = trusted ? 'nothing' : await askedOf(tx, user);
      if (asked === 'nothing') {
        const session = await letIn(context, user, { external: true });
        return { cookies: [session, ended], body: { location: return_to } };
      }
      const party = relyingParty(services.settings, request);
      const step = await beginStep(tx, services, { user_id: user.id, source_address, return_to, party });
      audit({ action: 'session.second_factor', ...about, detail: { asked, external: true } });
      return { cookies: [stepCookieHeader(step, secure), ended], body: { location: SECOND_STEPS[asked] } };
    },
  },
  {
    page: pagePath('sign-in'),
    secret: 'all',
    decode: (fields) => ({
      state: fields.text('state'),
      ...Object.fromEntries(
        (['code', 'iss', 'error'] as const).flatMap((name) =>
          fields.text(name) === '' ? [] : [[name, fields.text(name)]],
        ),
      ),
    }),
    done: (answer) => ({ location: (answer.body as { location: string }).location }),
  },
);
