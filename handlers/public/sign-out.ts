// Ends the session of the public pages.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { endSession } from '../../shared/kernel/access/session.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { sessionCookie, sessionCookieHeader } from '../../shared/kernel/operation/middleware/authentication.ts';

export const operation = defineForm(
  {
    id: 'publicSignOutForm',
    plane: 'public',
    path: `${pagePath('public')}/sign-out`,
    access: { session: 'any' },
    tag: 'Authentication',
    summary: 'Sign out',
    description: 'Ends the session of the public pages in this browser.',
    effect: 'immediate',
    guarded: false,
    audit: ['session.end'],
    async run({ services, actor, request, tx, audit }) {
      await endSession(tx, services.keys, sessionCookie(request.cookies, request.secure, 'public')!);
      audit({ action: 'session.end', resource_type: 'user', resource_id: actor.user_id, detail: { plane: 'public' } });
      return { cookies: [sessionCookieHeader('', request.secure, 'public')] };
    },
  },
  {
    page: pagePath('public'),
    decode: () => ({}),
    done: () => ({ location: pagePath('public') }),
  },
);
