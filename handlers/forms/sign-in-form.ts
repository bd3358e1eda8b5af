// Signing in with the browser, on the plane that the form is of: same check, same slowing, a session of that plane alone. Who
// has a second factor is asked for it: on a page of its own on the management plane, in the same form on the public one.
import * as v from 'valibot';
import { instant } from '../../shared/ground/clock.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { invalid, Problem } from '../../shared/ground/problems.ts';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { NOBODY } from '../../shared/kernel/access/actor.ts';
import type { Role, SessionPlane } from '../../shared/kernel/access/scopes.ts';
import { relyingParty } from '../../shared/kernel/access/second-factor/relying-party.ts';
import { beginStep, stepCookieHeader } from '../../shared/kernel/access/second-factor/sign-in-step.ts';
import { type Asked, askedOf, verifySecondFactor } from '../../shared/kernel/access/second-factor/verify.ts';
import { isUnchanged, verifySignIn } from '../../shared/kernel/access/sign-in.ts';
import { RETURN_MOST } from '../../shared/kernel/access/visitor-form.ts';
import { type AuditEvent, appendAudit } from '../../shared/kernel/audit/audit.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { Answer, FormFields, MutationContext } from '../../shared/kernel/operation/operation.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { factorRefused, letIn } from './let-in.ts';

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
  revision: number;
}

type Signing = Omit<
  MutationContext<unknown, unknown, { code?: string | undefined; return_to: string }>,
  'params' | 'query'
>;

/** What comes after the password, by what is asked. */
export const SECOND_STEPS: Record<Exclude<Asked, 'nothing'>, string> = {
  factor: `${pagePath('sign-in')}/second-factor`,
  enrol: `${pagePath('sign-in')}/enrol`,
};

const asks = (user: SignedIn, asked: Asked): AuditEvent => ({
  action: 'session.second_factor',
  resource_type: 'user',
  resource_id: user.id,
  by: { user_id: user.id, name: user.name },
  detail: { asked },
});

/** On the management pages the second step has a page of its own. */
async function askNext(context: Signing, user: SignedIn, asked: Exclude<Asked, 'nothing'>): Promise<Answer> {
  const { services, request, tx, body, audit } = context;
  const { source_address, secure } = request;
  const party = relyingParty(services.settings, request);
  const id = await beginStep(tx, services, { user_id: user.id, source_address, return_to: body.return_to, party });
  audit(asks(user, asked));
  return { cookies: [stepCookieHeader(id, secure)], body: { location: SECOND_STEPS[asked] } };
}

/** On the public pages the code is a field beside the password. */
async function askHere(context: Signing, user: SignedIn, asked: Exclude<Asked, 'nothing'>): Promise<Answer> {
  const { services, request, tx, body, audit } = context;
  const refused = (detail: string) => ({ refuse: invalid({ pointer: '/code', detail }) });
  if (asked === 'enrol') {
    audit(asks(user, asked));
    return refused(
      'Your role must have a second factor, and you have none yet. Sign in to the management pages first.',
    );
  }
  if (!body.code) {
    audit(asks(user, asked));
    return refused('Enter a code of your authenticator app, or a recovery code.');
  }
  const of = { user_id: user.id, source_address: request.source_address };
  const factor = await verifySecondFactor(tx, services, of, body.code);
  if (factor) return { cookies: [await letIn(context, user, { plane: 'public', factor })] };
  audit(factorRefused(user.id));
  return refused('This code is wrong, or it was used before.');
}

const wrong = (): Problem => new Problem('sign_in_failed', 'The user name or the password is wrong.');

/** As it was when the password was found right. @throws Problem when it is another one by now */
async function unchanged(tx: Transaction, user: SignedIn): Promise<SignedIn> {
  if (await isUnchanged(tx, user)) return user;
  throw wrong();
}

type Refused = Pick<AuditEvent, 'resource_type' | 'resource_id' | 'detail'>;

/** Writes down that somebody was not let in. */
const refusal =
  ({ clock, keys }: Services, { id: request_id, source_address }: { id: string; source_address: string }) =>
  (tx: Transaction, of: Refused): Promise<void> => {
    const event = { action: 'session.refuse', ...of, outcome: 'failure' } as const;
    const who = { at: instant(clock.now()), actor: NOBODY, request_id, source_address };
    return appendAudit(tx, keys, who, event, { holdsLock: true });
  };

/** @throws Problem as `admits` does, which is written down by `refused` */
async function admitted(
  { store }: Services,
  admits: () => void,
  refused: (tx: Transaction) => Promise<void>,
): Promise<void> {
  try {
    admits();
  } catch (error) {
    await store.write(refused, { unlessHeld: true });
    throw error;
  }
}

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
      judges: true,
      audit: ['session.start', 'session.second_factor', 'session.refuse'],
      problems: ['sign_in_failed', 'too_many_attempts'],
      body: v.strictObject({
        username: v.pipe(v.string(), v.minLength(1, 'Enter a user name.'), v.maxLength(64)),
        password: v.pipe(v.string(), v.minLength(1, 'Enter a password.'), v.maxLength(256)),
        return_to: v.pipe(v.string(), v.maxLength(2048)),
        // Of the public pages; elsewhere the second step has a form of its own.
        code: v.optional(v.pipe(v.string(), v.maxLength(64))),
      }),
      async prepare({ services, request, body }) {
        await offered?.(services);
        const { username: name, password } = body;
        const refused = refusal(services, request);
        const tried = { name, password, source_address: request.source_address };
        const user = await verifySignIn(services, tried, (tx) =>
          // The name that was typed is not kept: people type passwords into it.
          refused(tx, { resource_type: 'session', resource_id: null }),
        );
        if (!user) throw wrong();
        await admitted(
          services,
          () => admits?.(user.role),
          (tx) => refused(tx, { resource_type: 'user', resource_id: user.id, detail: { plane, role: user.role } }),
        );
        return user;
      },
      async run(context) {
        const user = await unchanged(context.tx, context.prepared as SignedIn);
        const asked = await askedOf(context.tx, user);
        if (asked === 'nothing') return { cookies: [await letIn(context, user, { plane })] };
        return (plane === 'public' ? askHere : askNext)(context as Signing, user, asked);
      },
    },
    {
      page: path,
      secret: ['password', 'code'],
      decode: (fields) => ({
        username: fields.text('username'),
        password: fields.values.get('password') ?? '',
        return_to: fields.text('return_to').slice(0, RETURN_MOST),
        ...(plane === 'public' && { code: fields.optional('code') }),
      }),
      done: (answer, fields) => ({ location: (answer.body as { location?: string })?.location ?? next(fields) }),
    },
  );
