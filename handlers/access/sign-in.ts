// Signing in with the browser.
import * as v from 'valibot';
import { NOBODY } from '../../shared/access/actor.ts';
import { startSession } from '../../shared/access/session.ts';
import { forgetFailures, inSlot, noteFailure, refuseIfThrottled } from '../../shared/access/throttle.ts';
import { verifyUser } from '../../shared/access/user.ts';
import { appendAudit } from '../../shared/audit/audit.ts';
import { instant } from '../../shared/operation/clock.ts';
import { defineForm } from '../../shared/operation/define-operation.ts';
import { sessionCookie, sessionCookieHeader } from '../../shared/operation/middleware/authentication.ts';
import { Problem } from '../../shared/operation/problems.ts';

const HOME = '/ui/management';

export const operation = defineForm(
  {
    id: 'signInForm',
    path: '/ui/management/sign-in',
    access: 'public',
    tag: 'Authentication',
    summary: 'Sign in',
    description:
      'Starts a browser session. Repeated failures are slowed per source address; no account is ever locked.',
    effect: 'immediate',
    guarded: false,
    audit: ['session.start', 'session.refuse'],
    problems: ['sign_in_failed', 'too_many_attempts'],
    body: v.strictObject({
      username: v.pipe(v.string(), v.minLength(1, 'Enter a user name.'), v.maxLength(64)),
      password: v.pipe(v.string(), v.minLength(1, 'Enter a password.'), v.maxLength(256)),
    }),
    async prepare({ services, request, body }) {
      const { store, clock, keys } = services;
      await refuseIfThrottled(store, request.source_address, body.username, clock.now());
      const user = await inSlot(request.source_address, () =>
        verifyUser(store, body.username.toLowerCase(), body.password),
      );
      if (user) return user;
      await store.write(async (tx) => {
        await noteFailure(tx, request.source_address, body.username, clock.now());
        const context = {
          at: instant(clock.now()),
          actor: NOBODY,
          request_id: request.id,
          source_address: request.source_address,
        };
        // The name that was typed is not kept: people type passwords into it.
        const event = {
          action: 'session.refuse',
          resource_type: 'session',
          resource_id: null,
          outcome: 'failure' as const,
        };
        await appendAudit(tx, keys, context, event, { holdsLock: true });
      });
      throw new Problem('sign_in_failed', 'The user name or the password is wrong.');
    },
    async run({ services, request, tx, prepared, audit }) {
      const user = prepared as { id: string; name: string; role: string };
      const previous = sessionCookie(request.cookies, request.secure);
      const session = await startSession(tx, services, user.id, request.source_address, previous);
      await forgetFailures(tx, request.source_address, user.name);
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
    page: '/ui/management/sign-in',
    secret: ['password'],
    decode: (fields) => ({ username: fields.text('username'), password: fields.values.get('password') ?? '' }),
    done: (_answer, fields) => ({ location: localPath(fields.text('return_to')) }),
  },
);

/** Only a path of the management plane: an address from outside could be a trap. */
function localPath(wanted: string): string {
  return /^\/ui\/management(?:[/?][\w\-./?=&%~:+,@]*)?$/.test(wanted) && !wanted.includes('//') ? wanted : HOME;
}
