// An appliance with an OVA in its depot, a vSphere that can be looked at, and the ways of the wizard to each of its steps.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { applianceFolder } from '../../shared/services/offline-depot/store.ts';
import { deploymentShell, replaceInShell } from '../../shared/vcf/deployment/shell.ts';
import type { VsphereLite } from '../fakes/vsphere-lite.ts';
import type { Credentials, House } from './house.ts';
import { makeOva, type OvaRecipe, sddcManagerAnswers } from './make-ova.ts';
import { formOf, Walk } from './wizard-walk.ts';

export const DEPLOY = '/ui/management/vcf-helper/sddc-manager';
export const OVA = 'VCF-SDDC-Manager-Appliance-9.1.0.0.24962180.ova';
export const ANSWERS = sddcManagerAnswers();
/** Fields of the two passwords of the OVF. */
export const SECRETS = { s0: ANSWERS.ROOT_PASSWORD!, s1: ANSWERS.LOCAL_USER_PASSWORD! };

/** An OVA in the depot, by its file name. */
export async function putOva({ host }: Pick<Services, 'host'>, recipe: Partial<OvaRecipe> = {}, file = OVA) {
  const folder = applianceFolder(host);
  mkdirSync(folder, { recursive: true });
  return makeOva({ path: join(folder, file), disks: [{ size: 4096 }], ...recipe });
}

/** What a lab would answer: names both ways, a clock, nobody at the new address. */
export function answerForLab(services: Services): void {
  const { questions } = deploymentShell(services);
  const names: Record<string, string> = { A: ANSWERS['vami.ip0.SDDC-Manager']!, PTR: ANSWERS['vami.hostname']! };
  replaceInShell(services, {
    questions: {
      ...questions,
      dns: async (server, asked) =>
        asked.map((question) => ({
          ...{ server, question, rcode: 'NOERROR', error: null },
          answers: [names[question.split('/').at(-1)!]].filter((answer) => answer !== undefined),
        })),
      tls: async () => ({ sha256: '' }),
      time: async () => [],
      inUse: async () => [],
    },
  });
}

export const STEPS = ['tls', 'login', 'appliance', 'placement', 'properties', 'after', 'review'] as const;
export type StepName = (typeof STEPS)[number];

export interface Ways {
  /** Sent at the steps before. */
  appliance?: Record<string, string>;
  placement?: Record<string, string>;
  properties?: Record<string, string>;
  after?: Record<string, string | null>;
}

/** From the first step to the one that is named, with a typed login. */
export async function walkTo(
  house: House,
  who: Credentials,
  fake: Pick<VsphereLite, 'host' | 'port' | 'account'>,
  step: StepName,
  ways: Ways = {},
): Promise<Walk> {
  const walk = await new Walk(house, who).open(DEPLOY);
  if (walk.step === 'credential') await walk.send('Credential', { step: 'server' });
  await walk.send('Server', { server: `${fake.host}:${fake.port}` });
  return walkOn(walk, fake, step, ways);
}

/** From the step that is shown. */
export async function walkOn(
  walk: Walk,
  { account }: Pick<VsphereLite, 'account'>,
  step: StepName,
  ways: Ways = {},
): Promise<Walk> {
  while (walk.step !== step) {
    const from = walk.step;
    await (WAYS[from ?? '']?.(walk, ways, account) ?? Promise.reject(new Error(`At ${from}: ${walk.words}`)));
    if (walk.step === from) throw new Error(`Still at ${from}: ${walk.words}`);
  }
  return walk;
}

const WAYS: Record<string, (walk: Walk, ways: Ways, account: VsphereLite['account']) => Promise<Walk>> = {
  tls: (walk) => walk.send('Fingerprint', { confirm: 'yes' }),
  login: (walk, _ways, account) => walk.send('Login', account),
  appliance: (walk, { appliance }) => walk.send('Appliance', { name: 'sddc01', eula: 'yes', ...appliance }),
  placement: (walk, { placement }) => walk.send('Placement', placement),
  properties: (walk, { properties }) => walk.send('Properties', { ...openAnswers(walk), ...properties }),
  after: (walk, { after }) => walk.send('After the start', after),
};

/** Answers to the properties of the ordinary OVA, by their fields: each help names its key. */
export function openAnswers({ html }: Walk): Record<string, string> {
  const fields = [...html.matchAll(/id="(p\d+)-help">[\s\S]*?<code>([^<]*)<\/code>/g)];
  return Object.fromEntries(
    fields.flatMap(([, field, key]) => (ANSWERS[key!] === undefined ? [] : [[field!, ANSWERS[key!]!]])),
  );
}

/** What a form of the shown page would send, without what a session adds. */
export const sentBy = (walk: Walk, label: string): Record<string, string> =>
  Object.fromEntries(formOf(walk.html, label).fields.filter(([name]) => name !== 'csrf'));
