// A login at VCF Automation (Tenant Manager, 9.x): it belongs to one organization, and ends with the visit. When the server no
// longer knows it, it is made again once with the same credential. The token lives in this closure.
import * as v from 'valibot';
import { Problem } from '../../ground/problems.ts';
import { readJson } from '../vcf-api/answers.ts';
import type { ApplianceCredential } from '../vcf-api/session.ts';
import { type PinnedClient, type Question, type Reply, send } from '../vcf-api/transport.ts';
import { automationFault } from './fault.ts';

export interface EntityRef {
  id: string;
  name: string;
}

export interface AutomationSession {
  /** That of the login: what is read and set is its own. */
  organization: EntityRef;
  user: string;
  /** `9.1.0` */
  version: string;
  /** @throws AutomationFault for a status that is none of `statuses` (default 200); ApplianceFault for an answer that can't be read */
  ask<T>(asked: Asked, schema: v.GenericSchema<unknown, T>, statuses?: readonly number[]): Promise<T>;
  /** As far as the server answers; never rejects. */
  close(signal?: AbortSignal): Promise<void>;
}

export type Asked = Pick<Question, 'method' | 'path' | 'json' | 'signal' | 'what' | 'timeout' | 'names_known'>;

/** Newest first: the versions of its API whose models are known here. */
const VERSIONS = ['9.1.0', '9.0.0'] as const;
const LIMIT = 4 << 20;
const SESSION_LIMIT = 64 << 10;
/** The organization of those who run the product. */
const PROVIDER = 'system';

const ref = v.looseObject({ id: v.pipe(v.string(), v.maxLength(256)), name: v.pipe(v.string(), v.maxLength(256)) });
const sessionSchema = v.looseObject({ org: ref, user: v.looseObject({ name: v.pipe(v.string(), v.maxLength(256)) }) });
const TOKEN = /^[\x21-\x7e]{1,16384}$/;

const NOT_IT = 'Check the server: it has to be VCF Automation 9.x.';

/** The newest version that both sides know. Nothing is logged in for it. */
async function versionOf(client: PinnedClient, signal?: AbortSignal): Promise<string> {
  const what = 'its API versions';
  const question: Question = { method: 'GET', path: '/api/versions', limit: LIMIT, what, signal };
  const answer = await send(client, question, {});
  if (answer.status === 404)
    throw new Problem('remote_unsupported', `The server has no list of API versions. ${NOT_IT}`);
  if (answer.status !== 200) throw automationFault(answer, what);
  // XML or JSON, whatever it prefers.
  const told: readonly string[] = answer.body.toString('utf8').match(/(?<![\d.])\d+\.\d+\.\d+(?![\d.])/g) ?? [];
  const version = VERSIONS.find((each) => told.includes(each));
  if (version) return version;
  throw new Problem(
    'remote_unsupported',
    `The server speaks no version of the API that is known here (${VERSIONS.join(', ')}). ${NOT_IT}`,
  );
}

/** @throws Problem 409 `remote_login_refused` for a user name without its organization */
function placeOf(username: string): string {
  const at = username.lastIndexOf('@');
  const organization = username.slice(at + 1);
  if (at < 1 || organization === '')
    throw new Problem('remote_login_refused', 'Write the user name with its organization: user@organization.');
  const provider = organization.toLowerCase() === PROVIDER ? '/provider' : '';
  return `/cloudapi/1.0.0/sessions${provider}`;
}

/** Whether organizations are named by this login. */
export const isProvider = ({ name }: EntityRef): boolean => name.toLowerCase() === PROVIDER;

interface Entered {
  token: string;
  organization: EntityRef;
  user: string;
}

async function enter(
  client: PinnedClient,
  { username, password }: ApplianceCredential,
  { version, signal }: { version: string; signal: AbortSignal | undefined },
): Promise<Entered> {
  const path = placeOf(username);
  const basic = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
  const question: Question = { method: 'POST', path, limit: SESSION_LIMIT, what: 'the login', signal };
  const headers = { accept: `application/json;version=${version}`, authorization: `Basic ${basic}` };
  const answer = await send(client, question, headers, [password, basic]);
  try {
    if (answer.status === 401 || answer.status === 403)
      throw new Problem(
        'remote_login_refused',
        'VCF Automation refused the login. Check user, organization and password, and that the account is not locked.',
      );
    if (answer.status !== 200 && answer.status !== 201) throw automationFault(answer, question.what);
    const { org, user } = readJson(answer, sessionSchema, question);
    const { headers: got } = answer;
    const token = [got['x-vmware-vcloud-access-token'], got['x-vcloud-authorization']].find(
      (one) => typeof one === 'string' && TOKEN.test(one),
    );
    if (typeof token !== 'string')
      throw new Problem('remote_answer_unusable', `The login was accepted, and no token came with it. ${NOT_IT}`);
    return { token, organization: { id: org.id, name: org.name }, user: user.name };
  } finally {
    answer.body.fill(0);
  }
}

/** @throws Problem 409 `remote_unsupported`, `remote_login_refused`, `certificate_changed`, `remote_…` */
export async function openAutomation(
  client: PinnedClient,
  credential: ApplianceCredential,
  signal?: AbortSignal,
): Promise<AutomationSession> {
  const version = await versionOf(client, signal);
  let entered: Entered | null = await enter(client, credential, { version, signal });
  const { organization, user } = entered;

  async function sent(asked: Asked): Promise<Reply> {
    if (!entered) throw new Error('The session was closed.');
    const { token } = entered;
    const type = `application/json;version=${version}`;
    const headers = {
      accept: type,
      authorization: `Bearer ${token}`,
      ...(asked.json !== undefined && { 'content-type': type }),
      ...(isProvider(organization) && { 'x-vmware-vcloud-tenant-context': organization.id }),
    };
    return send(client, { limit: LIMIT, ...asked }, headers, [token]);
  }

  return {
    ...{ organization, user, version },
    async ask(asked, schema, statuses = [200]) {
      let answer = await sent(asked);
      if (answer.status === 401) {
        entered = await enter(client, credential, { version, signal: asked.signal });
        if (entered.organization.id !== organization.id)
          throw new Problem(
            'remote_answer_unusable',
            'The second login led to another organization. Nothing more was sent.',
          );
        answer = await sent(asked);
      }
      try {
        if (!statuses.includes(answer.status)) throw automationFault(answer, asked.what);
        if (answer.body.length === 0) return v.parse(schema, null);
        return readJson(answer, schema, { limit: LIMIT, ...asked });
      } finally {
        answer.body.fill(0);
      }
    },
    async close(late) {
      if (!entered) return;
      const asked: Asked = {
        method: 'DELETE',
        path: '/cloudapi/1.0.0/sessions/current',
        what: 'the end of the login',
        signal: late,
      };
      await sent(asked).catch(() => undefined);
      entered = null;
    },
  };
}
