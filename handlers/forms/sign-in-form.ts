// Signing in with the browser, on the plane that the form is of: same check, same slowing, a session of that plane alone.
import * as v from 'valibot';
import { instant } from '../../shared/ground/clock.ts';
import { Problem } from '../../shared/ground/problems.ts';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { NOBODY } from '../../shared/kernel/access/actor.ts';
import type { Role, SessionPlane } from '../../shared/kernel/access/scopes.ts';
import { startSession } from '../../shared/kernel/access/session.ts';
import { noteSignIn, verifySignIn } from '../../shared/kernel/access/sign-in.ts';
import { type AuditEvent, appendAudit } from '../../shared/kernel/audit/audit.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { sessionCookie, sessionCookieHeader } from '../../shared/kernel/operation/middleware/authentication.ts';
import type { FormFields } from '../../shared/kernel/operation/operation.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';

interface SignInForm {
  id: string;
  plane: SessionPlane;
  path: string;
  description: string;
  /** Before the password is looked at. @throws Problem where nobody signs in now */
  offered?(services: Services): Promise<void>;
  /** After it was found to be right. @throws Problem for a role that has no business here */
  admits?(role: Role): void;
  next(fields: FormFields): string;
}

interface SignedIn {
  id: string;
  name: string;
  role: Role;
}

type Refused = Pick<AuditEvent, 'resource_type' | 'resource_id' | 'detail'>;

/** Writes down that somebody was not let in. */
const refusal =
  ({ clock, keys }: Services, from: { request_id: string; source_address: string }) =>
  (tx: Transaction, of: Refused): Promise<void> => {
    const event = { action: 'session.refuse', ...of, outcome: 'failure' } as const;
    return appendAudit(tx, keys, { at: instant(clock.now()), actor: NOBODY, ...from }, event, { holdsLock: true });
  };

export const signInForm = ({ id, plane, path, description, offered, admits, next }: SignInForm) =>
  defineForm(
    {
      id,
      plane,
      path,
      access: 'public',
      tag: 'Authentication',
      summary: 'Sign in',
      description,
      effect: 'immediate',
      guarded: false,
      audit: ['session.start', 'session.refuse'],
      problems: ['sign_in_failed', 'too_many_attempts'],
      body: v.strictObject({
        username: v.pipe(v.string(), v.minLength(1, 'Enter a user name.'), v.maxLength(64)),
        password: v.pipe(v.string(), v.minLength(1, 'Enter a password.'), v.maxLength(256)),
      }),
      async prepare({ services, request, body }) {
        await offered?.(services);
        const { username: name, password } = body;
        const { id: request_id, source_address } = request;
        const refused = refusal(services, { request_id, source_address });
        const user = await verifySignIn(services, { name, password, source_address }, (tx) =>
          // The name that was typed is not kept: people type passwords into it.
          refused(tx, { resource_type: 'session', resource_id: null }),
        );
        if (!user) throw new Problem('sign_in_failed', 'The user name or the password is wrong.');
        try {
          admits?.(user.role);
        } catch (error) {
          const detail = { plane, role: user.role };
          await services.store.write((tx) => refused(tx, { resource_type: 'user', resource_id: user.id, detail }));
          throw error;
        }
        return user;
      },
      async run({ services, request, tx, prepared, audit }) {
        const user = prepared as SignedIn;
        const previous = sessionCookie(request.cookies, request.secure, plane);
        const session = await startSession(tx, services, user.id, request.source_address, previous, plane);
        await noteSignIn(tx, services, user, request.source_address);
        audit({
          action: 'session.start',
          resource_type: 'user',
          resource_id: user.id,
          by: { user_id: user.id, name: user.name },
          ...(plane === 'public' && { detail: { plane } }),
        });
        return { cookies: [sessionCookieHeader(session.id, request.secure, plane)] };
      },
    },
    {
      page: path,
      secret: ['password'],
      decode: (fields) => ({ username: fields.text('username'), password: fields.values.get('password') ?? '' }),
      done: (_answer, fields) => ({ location: next(fields) }),
    },
  );
