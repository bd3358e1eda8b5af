// The credentials of an SDDC Manager: a list of accounts of the machines it manages, in clear text for its
// administrators.
import * as v from 'valibot';
import { askFor } from './answers.ts';
import { isHost, isMasked, type SourceCredential, uriOf } from './credential.ts';
import { ApplianceFault } from './fault.ts';
import { allElements } from './pages.ts';
import type { ApplianceSession } from './session.ts';

const text = v.nullish(v.string(), null);
const elementSchema = v.looseObject({
  id: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(200),
    v.check((id) => id.isWellFormed()),
  ),
  username: text,
  password: text,
  credentialType: v.nullish(v.string(), ''),
  resource: v.looseObject({
    resourceName: v.nullish(v.string(), ''),
    resourceIp: text,
    resourceType: v.nullish(v.string(), ''),
  }),
  autoRotatePolicy: v.nullish(v.looseObject({ frequencyInDays: v.nullish(v.number(), null) }), null),
});
type Element = v.InferOutput<typeof elementSchema>;

const PATH = '/v1/credentials';
const PAGE_LIMIT = 4 * 1024 * 1024;
const ONE_LIMIT = 256 * 1024;
const MOST_CREDENTIALS = 5000;
/** Accounts that are read one by one when the list masks them, at most. */
const MOST_SINGLE = 64;

/** Rows that lack what makes a credential are counted, not shown. */
export interface ManagerCredentials {
  sources: SourceCredential[];
  unreadable: number;
}

/** @throws ApplianceFault `not_permitted` for an account without the ADMIN role, and what else goes wrong. */
export async function managerCredentials(session: ApplianceSession, signal?: AbortSignal): Promise<ManagerCredentials> {
  const rows = await allElements(session, {
    path: PATH,
    what: 'the credentials',
    limit: PAGE_LIMIT,
    most: MOST_CREDENTIALS,
    idOf: (row) => (v.is(elementSchema, row) ? v.parse(elementSchema, row).id : null),
    signal,
  });
  const elements = rows.flatMap((row) => {
    const read = v.safeParse(elementSchema, row);
    return read.success ? [read.output] : [];
  });
  const sources: SourceCredential[] = [];
  // Some builds mask values in lists and show them in single credentials. After the first one that stays masked, no
  // other is read.
  let singles = MOST_SINGLE;
  for (const element of elements) {
    let { password } = element;
    if (isHidden(password) && singles > 0) {
      password = (await passwordOf(session, element, signal)) ?? password;
      singles = isHidden(password) ? 0 : singles - 1;
    }
    sources.push(sourceOf(element, password));
  }
  return { sources, unreadable: rows.length - elements.length };
}

const isHidden = (password: string | null): boolean => password === null || password === '' || isMasked(password);

async function passwordOf(session: ApplianceSession, { id }: Element, signal?: AbortSignal): Promise<string | null> {
  const path = `${PATH}/${encodeURIComponent(id)}`;
  const question = { method: 'GET', path, limit: ONE_LIMIT, what: 'a credential', signal } as const;
  try {
    return (await askFor(session, question, elementSchema)).password;
  } catch (error) {
    // The list is what counts; that a single one isn't shown leaves its row masked.
    if (error instanceof ApplianceFault && error.reason !== 'session_lost') return null;
    throw error;
  }
}

/**
 * Types of credential by which an account logs in over the web, by the kind of machine. Other kinds: none that is
 * known.
 */
const WEB: Record<string, readonly string[]> = {
  ESXI: ['SSH', 'API', ''],
  VCENTER: ['SSO', 'API', ''],
  PSC: ['SSO', 'API', ''],
  NSXT_MANAGER: ['API', 'AUDIT', 'SSO', ''],
  NSX_ALB: ['API', 'SSO', ''],
};

function sourceOf(element: Element, value: string | null): SourceCredential {
  const { id, username, credentialType, resource, autoRotatePolicy } = element;
  const { resourceName, resourceIp, resourceType } = resource;
  const name = resourceName ?? '';
  const [kind, type] = [(resourceType ?? '').toUpperCase(), (credentialType ?? '').toUpperCase()];
  const host = isHost(name) ? name : (resourceIp ?? '');
  return {
    source_id: id,
    username,
    value,
    resource_name: name || (resourceIp ?? ''),
    resource_type: kind,
    credential_type: type,
    uris: [...(WEB[kind]?.includes(type) ? uriOf('https', host) : []), ...(type === 'SSH' ? uriOf('ssh', host) : [])],
    auto_rotated: (autoRotatePolicy?.frequencyInDays ?? 0) > 0,
  };
}
