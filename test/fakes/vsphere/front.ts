// What stands before the simulator at /sdk: sessions as vSphere keeps them, faults on demand, leases, slow tasks, and what
// the simulator leaves out of an import.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pass } from './behind.ts';
import { type ImportShell, importing, type SeenImport, type Session } from './imports.ts';
import { slowTasks, type TaskRules } from './tasks.ts';
import {
  type Asked,
  answered,
  asked,
  type FrontAnswer,
  member,
  objectXml,
  ok,
  type Ref,
  refOf,
  refXml,
  type SaidFault,
  said,
  text,
} from './wire.ts';

/** What one call gets instead of its answer. */
export interface CallFault extends Partial<SaidFault> {
  method: string;
  /** Calls that it meets; without it, all. */
  times?: number;
  /** The error of the task that the call starts, instead of a fault of the call. */
  in_task?: boolean;
  /** An answer that is no fault: status and body as they are. */
  raw?: { status: number; body: string };
  /** Does it, and then ends the connection without an answer. */
  cut?: boolean;
}

export interface FrontRules extends TaskRules {
  account: { username: string; password: string };
  clock_skew_ms: number;
  /** After so long without a call, a session is over. */
  idle_ms: number;
  /** Objects of one page; null: all at once. */
  page_size: number | null;
  /** Milliseconds before every answer. */
  delay_ms: number;
  faults: CallFault[];
  /** A host whose licence allows no changes. */
  free: boolean;
}

export interface SeenCall {
  method: string;
  on: Ref;
  at: number;
  /** `ok`, the type of the fault, or the status of a raw answer. */
  answer: string;
  version: string;
}

export interface Front {
  /** Answer to the body of a POST to /sdk; null: end the connection. */
  answer(request: { body: string; cookie: string | undefined; version: string }): Promise<FrontAnswer | null>;
  calls: SeenCall[];
  imports: SeenImport[];
  /** Values of the cookies of sessions that are open. */
  sessions(): string[];
  /** As after its idle time. */
  endSessions(): void;
}

interface OpenSession extends Session {
  last: number;
}

const WITHOUT_LOGIN = new Set(['RetrieveServiceContent', 'Login']);
const CHANGES = new Set(['ImportVApp', 'ReconfigVM_Task', 'PowerOnVM_Task', 'Destroy_Task']);

export interface Shell extends Omit<ImportShell, 'through'> {
  rules: FrontRules;
}

export function front({ esx, rules, behind, leases, place }: Shell): Front {
  const sessions = new Map<string, OpenSession>();
  const calls: SeenCall[] = [];
  const rest = new Map<string, string[]>();

  const imported = importing({ esx, behind, leases, place, through });
  const tasks = slowTasks({ esx, rules, behind, imports: imported.seen });

  /** The simulator's key of the session whose cookie came, byte for byte. */
  function sessionOf(header: string | undefined): OpenSession | null {
    const value = /(?:^|;\s*)vmware_soap_session=([^;]*)/.exec(header ?? '')?.[1];
    const session = value === undefined ? undefined : sessions.get(value);
    if (!session) return null;
    if (performance.now() - session.last > rules.idle_ms) {
      sessions.delete(value!);
      return null;
    }
    session.last = performance.now();
    return session;
  }

  async function through(question: Asked, session: Session | null, body = question.body): Promise<FrontAnswer> {
    const passed = await pass(behind.origin, body, session?.key ?? null);
    if (!passed) return said({ type: 'ManagedObjectNotFound', message: 'The object has been deleted.' });
    const answer: FrontAnswer = { status: passed.status, body: passed.body };
    if (question.method === 'Login' && passed.cookie !== null) {
      // As a vCenter writes it: quotes belong to the value.
      const value = `"${passed.cookie}"`;
      sessions.set(value, { key: passed.cookie, last: performance.now() });
      answer.set_cookie = `vmware_soap_session=${value}; Path=/; HttpOnly; Secure`;
    }
    if (question.method === 'Logout')
      for (const [value, each] of sessions) if (each === session) sessions.delete(value);
    return answer;
  }

  /** Leases and tasks are kept here; everything else is the simulator's. */
  function ownProperties(question: Asked, session: Session): FrontAnswer | null {
    const object = member(question.call, 'specSet', 'objectSet', 'obj');
    if (object === undefined) return null;
    const ref = refOf(object);
    const task = ref.type === 'Task' ? tasks.answer(ref) : null;
    if (task) return task;
    if (ref.type !== 'HttpNfcLease') return null;
    const lease = leases.get(ref.id, session.key);
    return lease ? ok(objectXml(ref, leases.properties(lease))) : said(gone(ref));
  }

  function paged(body: string): string {
    const size = rules.page_size;
    const objects = body.match(/<objects>.*?<\/objects>/gs) ?? [];
    if (size === null || objects.length <= size) return body;
    const token = randomUUID();
    rest.set(token, objects.slice(size));
    const head = `${body.slice(0, body.indexOf('<objects>'))}<token>${token}</token>`;
    return head + objects.slice(0, size).join('') + body.slice(body.lastIndexOf('</objects>') + 10);
  }

  const OWN: Readonly<Record<string, (question: Asked, session: Session) => FrontAnswer | Promise<FrontAnswer>>> = {
    CurrentTime: () =>
      ok(answered('CurrentTime', `<returnval>${new Date(Date.now() + rules.clock_skew_ms).toISOString()}</returnval>`)),
    CreateImportSpec: imported.prepare,
    ImportVApp: imported.start,
    PowerOnVM_Task: (question) => tasks.switchOn(question),
    ContinueRetrievePropertiesEx({ call }) {
      const objects = rest.get(text(call.token));
      if (!objects) return said({ type: 'InvalidArgument', inside: '<invalidProperty>token</invalidProperty>' });
      rest.delete(text(call.token));
      const page = answered('ContinueRetrievePropertiesEx', `<returnval>${objects.join('')}</returnval>`);
      return ok(paged(page));
    },
    async RetrievePropertiesEx(question, session) {
      const own = ownProperties(question, session);
      if (own) return own;
      const answer = await through(question, session);
      return answer.status === 200 ? { ...answer, body: paged(answer.body) } : answer;
    },
  };

  async function answerTo(question: Asked, session: Session | null): Promise<FrontAnswer> {
    const { method, on } = question;
    if (!session && !WITHOUT_LOGIN.has(method)) return said(notAuthenticated(on));
    const fault = rules.faults.find((each) => each.method === method && (each.times ?? 1) > 0);
    if (fault) {
      if (fault.times !== undefined) fault.times -= 1;
      if (fault.raw) return fault.raw;
      const told = { type: fault.type ?? 'SystemError', message: fault.message ?? '', inside: fault.inside ?? '' };
      if (fault.in_task) return tasks.failing(method, told);
      if (!fault.cut) return said(told);
    }
    if (rules.free && CHANGES.has(method)) {
      return said({
        type: 'RestrictedVersion',
        message: 'Current license or ESXi version prohibits execution of the requested operation.',
      });
    }
    if (on.type === 'VirtualMachine' && CHANGES.has(method) && leases.holds(on)) {
      return said({ type: 'TaskInProgress', message: 'The machine is being imported.' });
    }
    if (on.type === 'HttpNfcLease') {
      const lease = leases.get(on.id, session?.key ?? '');
      const answer = lease ? leases.call(lease, method, Number(text(question.call.percent))) : gone(on);
      return typeof answer === 'string' ? ok(answer) : said(answer);
    }
    return session && OWN[method] ? OWN[method](question, session) : through(question, session);
  }

  return {
    calls,
    imports: imported.seen,
    sessions: () => [...sessions.keys()],
    endSessions: () => sessions.clear(),
    async answer({ body, cookie, version }) {
      const question = asked(body);
      const at = performance.now();
      if (rules.delay_ms > 0) await pause(rules.delay_ms);
      if (!question || !/^"?urn:vim25\/\d/.test(version)) {
        calls.push({
          method: question?.method ?? '?',
          on: question?.on ?? { type: '', id: '' },
          at,
          answer: 'InvalidRequest',
          version,
        });
        return said({ type: 'InvalidRequest', message: 'The request is not as described.' });
      }
      const cut = rules.faults.some(({ method, cut, times = 1 }) => cut && method === question.method && times > 0);
      const answer = await answerTo(question, sessionOf(cookie));
      const fault =
        answer.status === 200
          ? 'ok'
          : (/<detail><\w+ [^>]*xsi:type="(\w+)"/.exec(answer.body)?.[1] ?? `${answer.status}`);
      calls.push({ method: question.method, on: question.on, at, answer: cut ? 'cut' : fault, version });
      return cut ? null : answer;
    },
  };
}

const gone = (ref: Ref): SaidFault => ({
  type: 'ManagedObjectNotFound',
  message: `The object ${ref.type}:${ref.id} has already been deleted or has not been completely created`,
  inside: refXml('obj', ref),
});
const notAuthenticated = (on: Ref): SaidFault => ({
  type: 'NotAuthenticated',
  message: 'The session is not authenticated.',
  inside: `${refXml('object', on)}<privilegeId>System.View</privilegeId>`,
});
