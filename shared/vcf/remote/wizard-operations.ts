// The first forms of every task on a remote machine: look at the server, confirm its certificate, log in. Each
// redirects to the next step; a later step checks its own conditions again.
import * as v from 'valibot';
import { instant } from '../../ground/clock.ts';
import { type ErrorCode, Problem } from '../../ground/problems.ts';
import { FINGERPRINT } from '../../ground/x509/certificate.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/audit/audit.ts';
import { defineForm, type FormDeclaration, type Operation } from '../../kernel/operation/define-operation.ts';
import type { FormFields, MutationSpec, RequestFacts } from '../../kernel/operation/operation.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { certificateChanged } from '../connection/faults.ts';
import { trustedTarget } from '../connection/reach.ts';
import { LOOKS_MOST, LOOKS_SECONDS, type Looked, look, lookEvent } from '../connection/recorded-look.ts';
import { parseServer, serverText, type Target } from '../connection/target.ts';
import { grantTrust, type TrustedTarget } from '../connection/trust.ts';
import { type Appliance, ROLE_TITLES } from '../vcf-api/appliance.ts';
import type { ApplianceSession } from '../vcf-api/session.ts';
import { VISIT_SECONDS, visitAppliance } from './appliance-visit.ts';
import { type Draft, keepDraft, type ShownAppliance } from './draft.ts';
import { entryOf, lookMark, type Place, placeFrom, placeHref, type WizardTask } from './wizard.ts';
import { openStored, type StoredCredential, storedCredential, typedLogin } from './wizard-credential.ts';

const id = v.optional(v.pipe(v.string(), v.maxLength(128)), '');
const secretText = v.pipe(v.string(), v.maxLength(1024, 'At most 1024 characters.'));

/** What every form after the server step sends along. */
export const PLACE = {
  server: v.pipe(v.string(), v.maxLength(300, 'At most 300 characters.')),
  vault_id: id,
  choice_id: id,
};
export const TRUSTED = { ...PLACE, trust: v.pipe(v.string(), v.maxLength(2048)), draft: id };
export const LOGIN = {
  username: v.pipe(v.string(), v.maxLength(255, 'At most 255 characters.')),
  password: secretText,
};

/** What the review that it is sent from showed. */
export const REVIEWED = { reviewed: v.optional(v.pipe(v.string(), v.maxLength(64)), '') };

/** Decodes the named text fields; a password keeps its blanks. */
export const decodeTexts =
  (schema: { entries: object }) =>
  (fields: FormFields): Record<string, string> =>
    Object.fromEntries(
      Object.keys(schema.entries).map((name) => [
        name,
        name === 'password' ? (fields.values.get(name) ?? '') : fields.text(name),
      ]),
    );

export const whoOf = ({ actor, request }: { actor: Actor; request: RequestFacts }): AuditContext => ({
  at: instant(request.now),
  actor,
  request_id: request.id,
  source_address: request.source_address,
});

/** The address that a form redirects to: that of its page, with new values. */
export const onwards = (task: WizardTask, fields: FormFields, next: Partial<Place>): string =>
  placeHref(task, { ...placeFrom((name) => fields.text(name)), ...next });

type Mutation<B extends v.GenericSchema> = MutationSpec<v.GenericSchema, v.GenericSchema, B>;

/** A form of a task at `at` below its page, for whoever may run the task; its page is shown again when it is refused. */
export function taskForm<B extends v.GenericSchema>(
  task: WizardTask,
  { at, ...spec }: { at: string } & Omit<Partial<Mutation<B>>, 'path' | 'access' | 'tag'>,
  form: Omit<FormDeclaration, 'page'>,
): Operation {
  return defineForm<v.GenericSchema, v.GenericSchema, B>(
    {
      ...(spec as Partial<Mutation<B>>),
      path: `${task.path}/${at}`,
      access: { session: task.scope },
      tag: 'Remote machines',
    },
    { ...form, page: task.path },
  );
}

const idOf = (task: WizardTask, name: string): string =>
  `${task.id.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())}${name}Form`;

interface Wanted {
  stored: StoredCredential | null;
  target: Target;
}

async function wantedBy(
  services: Services,
  actor: Actor,
  body: { server: string; vault_id: string; choice_id: string },
): Promise<Wanted> {
  const stored = await storedCredential(services.store, actor, body);
  return { stored, target: stored?.target ?? parseServer(body.server) };
}

const serverSchema = v.strictObject(PLACE);

/** A machine that was looked at, and the result. */
interface Probed {
  target: Target;
  looked: Looked;
}

const probe = async (services: Services, actor: Actor, target: Target): Promise<Probed> => ({
  target,
  looked: await look(services, actor, target),
});

const PROBE = 'remote.target.probe';
const PROBE_PROBLEMS: ErrorCode[] = [
  ...(['target_refused', 'remote_name_unknown', 'remote_unreachable', 'remote_timeout', 'remote_not_tls'] as const),
  'too_many_attempts',
];

/** Tests whether the server answers with TLS, and redirects to its certificate. Sends nothing to it. */
export function serverForm(task: WizardTask): Operation {
  return taskForm(
    task,
    {
      id: idOf(task, 'Server'),
      at: 'server',
      effect: 'immediate',
      summary: 'Look at the certificate of a remote machine',
      description: `Changes nothing: it makes a TLS handshake and sends nothing after it. Each look is recorded with its result; a user looks at ${LOOKS_MOST} servers in ${LOOKS_SECONDS / 60} minutes at most.`,
      body: serverSchema,
      audit: [PROBE],
      guarded: false,
      problems: PROBE_PROBLEMS,
      async prepare({ services, actor, body }): Promise<Probed> {
        const { target } = await wantedBy(services, actor, body);
        return probe(services, actor, target);
      },
      async run({ services, actor, audit, prepared }) {
        const { target, looked } = prepared as Probed;
        audit(lookEvent(task.id, target, looked));
        if ('refuse' in looked) return { refuse: looked.refuse };
        return { body: { server: serverText(target), look: lookMark(services.keys, actor, target) } };
      },
    },
    {
      decode: decodeTexts(serverSchema),
      done: ({ body }, fields) => ({
        location: onwards(task, fields, { ...(body as Pick<Place, 'server' | 'look'>), step: 'tls', trust: '' }),
      }),
    },
  );
}

const confirmSchema = v.strictObject({
  ...PLACE,
  sha256: v.pipe(v.string(), v.trim(), v.toUpperCase(), v.regex(FINGERPRINT, 'This is no SHA-256 fingerprint.')),
  confirm: v.literal('yes', 'Compare the fingerprint and confirm it.'),
});

/** Confirms the fingerprint that was shown; the machine is looked at again, and has to show the same certificate. */
export function confirmForm(task: WizardTask): Operation {
  return taskForm(
    task,
    {
      id: idOf(task, 'Confirm'),
      at: 'confirm',
      effect: 'immediate',
      summary: 'Confirm the certificate of a remote machine',
      description:
        'Records the trust decision of the operator. Connections of this task are pinned to the certificate.',
      body: confirmSchema,
      audit: ['remote.target.trust', PROBE],
      problems: ['certificate_changed', ...PROBE_PROBLEMS],
      async prepare({ services, actor, body }): Promise<Probed> {
        const { target } = await wantedBy(services, actor, body);
        return probe(services, actor, target);
      },
      async run({ services, actor, audit, body, prepared }) {
        const { target, looked } = prepared as Probed;
        const refused = (refuse: Problem) => {
          audit(lookEvent(task.id, target, { refuse }));
          return { refuse };
        };
        if ('refuse' in looked) return refused(looked.refuse);
        const { seen } = looked;
        if (seen.certificate.sha256 !== body.sha256) {
          return refused(certificateChanged(seen, body.sha256, seen.certificate.sha256));
        }
        const trust = grantTrust(services, actor, audit, seen, body.sha256);
        const mark = lookMark(services.keys, actor, seen);
        return { body: { server: serverText(seen), look: mark, trust, stored: body.choice_id !== '' } };
      },
    },
    {
      decode: decodeTexts(confirmSchema),
      done: ({ body }, fields) => {
        const { stored, ...next } = body as Pick<Place, 'server' | 'look' | 'trust'> & { stored: boolean };
        return { location: onwards(task, fields, { ...next, step: stored ? task.own[0].id : 'login', draft: '' }) };
      },
    },
  );
}

/** A machine that is trusted, and how to log in to it. */
export interface Ready {
  trusted: TrustedTarget;
  server: string;
  /** Typed, or opened from its vault when it is needed. */
  credential(): ReturnType<typeof openStored>;
  username: string;
  stored: StoredCredential | null;
}

interface TrustedBody {
  server: string;
  vault_id: string;
  choice_id: string;
  trust: string;
  username: string;
  password: string;
}

/**
 * What a step needs that logs in: checks the ticket first, then the credential.
 * @throws Problem 403, 404, 409 `trust_missing`, `target_refused`, 422
 */
export async function readyToLogIn(
  task: WizardTask,
  { services, actor, request, body }: { services: Services; actor: Actor; request: RequestFacts; body: TrustedBody },
): Promise<Ready> {
  const { stored, target } = await wantedBy(services, actor, body);
  const trusted = await trustedTarget(services, actor, body.trust, target);
  const server = serverText(target);
  if (stored) {
    const credential = () => openStored(services, whoOf({ actor, request }), stored, trusted, task.purpose);
    return { trusted, server, credential, username: '', stored };
  }
  const login = typedLogin(body);
  return { trusted, server, credential: async () => login, username: login.username, stored };
}

export const shownAppliance = ({ role, version }: Appliance): ShownAppliance => ({
  title: ROLE_TITLES[role],
  version: version.text,
});

const loginSchema = v.strictObject({ ...TRUSTED, ...LOGIN });

type Reads = (session: ApplianceSession, appliance: Appliance, signal: AbortSignal) => Promise<Partial<Draft>>;

/** What answered, and what the task's own steps are about. Nothing of it is a password. */
export interface Read {
  appliance: ShownAppliance;
  more: Partial<Draft>;
}

type Entered = (Read & { ready: Ready }) | { ready: Ready; refuse: Problem };

/** Logs in to an appliance, reads what the task's own steps are about, logs out. */
export const loginForm = (task: WizardTask, reads: Reads): Operation =>
  entryForm(task, (services, ready) =>
    visitAppliance(services, ready.trusted, { credential: ready.credential }, async (session, appliance, signal) => ({
      appliance: shownAppliance(appliance),
      more: await reads(session, appliance, signal),
    })),
  );

/**
 * The same for whatever machine; `enter` logs in, reads and logs out.
 * @param told what a script that requests JSON gets beside the draft's id; without it JSON is not answered.
 */
export function entryForm(
  task: WizardTask,
  enter: (services: Services, ready: Ready) => Promise<Read>,
  told?: (read: Read) => Record<string, unknown>,
): Operation {
  return taskForm(
    task,
    {
      id: idOf(task, 'Login'),
      at: entryOf(task),
      effect: 'immediate',
      summary: 'Log in to a remote machine and read what can be chosen',
      description: `Changes nothing on the remote machine. Typed passwords are used for this request only, which takes ${VISIT_SECONDS / 60} minutes at most.`,
      body: loginSchema,
      audit: ['remote.target.login'],
      problems: [
        'trust_missing',
        'certificate_changed',
        'remote_login_refused',
        'remote_unsupported',
        'remote_refused',
      ],
      async prepare({ services, actor, request, body }): Promise<Entered> {
        const ready = await readyToLogIn(task, { services, actor, request, body });
        await services.checkpoint?.('remote.login');
        try {
          return { ready, ...(await enter(services, ready)) };
        } catch (error) {
          return { ready, refuse: refusalOf(error) };
        } finally {
          await services.checkpoint?.('remote.logged-out');
        }
      },
      async run({ services, actor, audit, prepared }) {
        const entered = prepared as Entered;
        const { server, username } = entered.ready;
        audit(loginEvent(task, entered));
        if ('refuse' in entered) return { refuse: entered.refuse };
        const { appliance, more } = entered;
        const { id } = keepDraft(services, actor, task, { server, username, appliance, ...more });
        return { body: { draft: id, ...told?.({ appliance, more }) } };
      },
    },
    {
      secret: ['password'],
      ...(told && { fetch: true }),
      decode: decodeTexts(loginSchema),
      done: ({ body }, fields) => ({
        location: onwards(task, fields, { draft: (body as Pick<Place, 'draft'>).draft, step: task.own[0].id }),
      }),
    },
  );
}

/** A refusal by the other side is recorded and shown; any other error is a defect. */
export function refusalOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

function loginEvent(task: WizardTask, entered: Entered) {
  const refused = 'refuse' in entered;
  return {
    action: 'remote.target.login',
    resource_type: 'remote_target',
    resource_id: null,
    outcome: refused ? ('failure' as const) : ('success' as const),
    detail: {
      task: task.id,
      server: entered.ready.server,
      ...(refused
        ? { refused: entered.refuse.code }
        : { machine: entered.appliance.title, version: entered.appliance.version }),
    },
  };
}
