// Signing in with the browser.

import * as v from 'valibot';
import { instant } from '../../shared/ground/clock.ts';
import { pagePath, returnPath } from '../../shared/ground/page-paths.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { NOBODY } from '../../shared/kernel/access/actor.ts';
import { startSession } from '../../shared/kernel/access/session.ts';
import { noteSignIn, verifySignIn } from '../../shared/kernel/access/sign-in.ts';
import { appendAudit } from '../../shared/kernel/audit/audit.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { sessionCookie, sessionCookieHeader } from '../../shared/kernel/operation/middleware/authentication.ts';

export const operation = defineForm(
  {
    id: 'signInForm',
    path: pagePath('sign-in'),
    access: 'public',
    tag: 'Authentication',
    summary: 'Sign in',
    description:
      'Starts a browser session. Repeated failures are slowed per source: an IPv4 address or an IPv6 /64. No account is ever locked. While strangers keep guessing at an account, sources that did not sign in to it within 30 days take turns: each waits at most 5 seconds for every source that asked before and has not failed yet, and is told to come back after 20 seconds (429).',
    effect: 'immediate',
    guarded: false,
    audit: ['session.start', 'session.refuse'],
    problems: ['sign_in_failed', 'too_many_attempts'],
    body: v.strictObject({
      username: v.pipe(v.string(), v.minLength(1, 'Enter a user name.'), v.maxLength(64)),
      password: v.pipe(v.string(), v.minLength(1, 'Enter a password.'), v.maxLength(256)),
    }),
    async prepare({ services, request, body }) {
      const { username: name, password } = body;
      const { id: request_id, source_address } = request;
      const user = await verifySignIn(services, { name, password, source_address }, (tx) => {
        // The name that was typed is not kept: people type passwords into it.
        const event = { action: 'session.refuse', resource_type: 'session', resource_id: null } as const;
        const context = { at: instant(services.clock.now()), actor: NOBODY, request_id, source_address };
        return appendAudit(tx, services.keys, context, { ...event, outcome: 'failure' }, { holdsLock: true });
      });
      if (!user) throw new Problem('sign_in_failed', 'The user name or the password is wrong.');
      return user;
    },
    async run({ services, request, tx, prepared, audit }) {
      const user = prepared as { id: string; name: string; role: string };
      const previous = sessionCookie(request.cookies, request.secure);
      const session = await startSession(tx, services, user.id, request.source_address, previous);
      await noteSignIn(tx, services, user, request.source_address);
      audit({
        action: 'session.start',
        resource_type: 'user',
        resource_id: user.id,
        by: { user_id: user.id, name: user.name },
      });
      return { cookies: [sessionCookieHeader(session.id, request.secure)] };
    },
  },
  {
    page: pagePath('sign-in'),
    secret: ['password'],
    decode: (fields) => ({ username: fields.text('username'), password: fields.values.get('password') ?? '' }),
    done: (_answer, fields) => ({ location: returnPath(fields.text('return_to')) }),
  },
);
