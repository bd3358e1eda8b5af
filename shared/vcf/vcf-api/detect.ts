// Detects what answers at an address: a VCF Installer or an SDDC Manager of release 9, one that still starts, or
// something else. The first request has no login, so that no credential goes to a machine that isn't an appliance.
import * as v from 'valibot';
import { faultOf, looksLikeHtml, readJson } from './answers.ts';
import { type Appliance, type ApplianceRole, ROLE_TITLES } from './appliance.ts';
import { ApplianceFault } from './fault.ts';
import { scrub } from './scrub.ts';
import type { Asker, Question, Reply } from './transport.ts';
import { isSupported, parseVersion } from './version.ts';

export type Detection =
  | { state: 'ready'; appliance: Appliance }
  /** It answers only with a login: detect again with the session. */
  | { state: 'login-needed' }
  /** A first boot, or services that restart: ask again later. */
  | { state: 'starting'; detail: string };

/** A map: a name that another machine gives finds nothing that every object has. */
const ROLES = new Map<string, ApplianceRole>([
  ['vcfinstaller', 'vcf-installer'],
  ['sddcmanager', 'sddc-manager'],
]);

const INFO_LIMIT = 64 * 1024;
const infoSchema = v.looseObject({ role: v.nullish(v.string(), ''), version: v.nullish(v.string(), '') });
const olderSchema = v.looseObject({ elements: v.array(v.looseObject({ version: v.nullish(v.string(), '') })) });

/**
 * One or two questions. An Installer becomes an SDDC Manager when it is deployed inside its target, so what was
 * detected in an earlier task doesn't hold for this one.
 * @param asker without a token, or a session when the answer was `login-needed`.
 * @throws ApplianceFault `unsupported_version`, `not_an_appliance`, `unreadable`; what the connection throws goes
 * through.
 */
export async function detectAppliance(asker: Asker, signal?: AbortSignal): Promise<Detection> {
  const question: Question = {
    method: 'GET',
    path: '/v1/system/appliance-info',
    limit: INFO_LIMIT,
    what: 'its role and version',
    signal,
  };
  const answer = await asker.ask(question);
  if (answer.status === 200) return detectionOf(answer, question);
  if (answer.status === 401 || answer.status === 403) return { state: 'login-needed' };
  if (answer.status === 404) throw await olderOrOther(asker, answer, signal);
  if (answer.status >= 500) return { state: 'starting', detail: startingText(answer.status) };
  if (answer.status >= 300 && answer.status < 400) throw faultOf(answer, question);
  throw notAnAppliance();
}

function detectionOf(answer: Reply, question: Question): Detection {
  if (looksLikeHtml(answer.body)) {
    return { state: 'starting', detail: 'The server answers with a web page; its API may not be there yet.' };
  }
  const info = readJson(answer, infoSchema, question);
  // Nothing counts as ready but a role.
  if (info.role === '') return { state: 'starting', detail: 'The server answers, but it does not know its role yet.' };
  const role = ROLES.get(info.role.toLowerCase().replace(/[\s_-]/g, ''));
  if (!role) throw notAnAppliance();
  const version = parseVersion(info.version);
  if (!version) throw new ApplianceFault('unreadable', `The ${ROLE_TITLES[role]} does not tell a version.`);
  if (!isSupported(version)) throw unsupported(ROLE_TITLES[role], version.text);
  return { state: 'ready', appliance: { role, version } };
}

const startingText = (status: number): string => `The server answers with status ${status}; it may still be starting.`;

/** Releases before 9 don't have the path; their list of SDDC Managers shows that they are one. */
async function olderOrOther(asker: Asker, missing: Reply, signal?: AbortSignal): Promise<ApplianceFault> {
  if (looksLikeHtml(missing.body)) return notAnAppliance();
  const question: Question = {
    method: 'GET',
    path: '/v1/sddc-managers',
    limit: INFO_LIMIT,
    what: 'its version',
    signal,
  };
  const answer = await asker.ask(question);
  // Without a token an SDDC Manager refuses; that it has the path is all that can be known.
  if (answer.status === 401 && !looksLikeHtml(answer.body)) return unsupported('SDDC Manager', null);
  if (answer.status !== 200 || looksLikeHtml(answer.body)) return notAnAppliance();
  const version = parseVersion(readJson(answer, olderSchema, question).elements[0]?.version ?? '');
  return unsupported('SDDC Manager', version?.text ?? null);
}

const unsupported = (title: string, version: string | null): ApplianceFault =>
  new ApplianceFault(
    'unsupported_version',
    version === null
      ? `The server seems to be an ${title} of a release before 9.`
      : `The server is an ${title} ${scrub(version)}.`.replace(' an VCF', ' a VCF'),
  );

const notAnAppliance = (): ApplianceFault =>
  new ApplianceFault('not_an_appliance', 'The server answers, but not as a VCF Installer or an SDDC Manager does.');
