// Deployment: what is done once the disks are uploaded. Keeps it for the review.
import * as v from 'valibot';
import { invalid } from '../../shared/ground/problems.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { keep, standing } from '../../shared/vcf/deployment/choose.ts';
import { DEPLOY_TASK } from '../../shared/vcf/deployment/wizard-task.ts';
import { decodeTexts, onwards, TRUSTED } from '../../shared/vcf/remote/wizard-operations.ts';

const SWITCHES = ['power_on', 'dns', 'trust_root', 'depot'] as const;
const texts = v.strictObject(TRUSTED);
const body = v.strictObject({
  ...texts.entries,
  ...{ power_on: v.boolean(), dns: v.boolean(), trust_root: v.boolean(), depot: v.boolean() },
});

export const operation = defineForm(
  {
    id: 'sddcManagerAfterForm',
    path: `${DEPLOY_TASK.path}/after`,
    access: { session: DEPLOY_TASK.scope },
    effect: 'immediate',
    tag: 'Remote machines',
    summary: 'Choose what is done after the import',
    description: 'Changes nothing: the choice is kept for the review.',
    body,
    audit: 'none',
    guarded: false,
    async prepare({ services, actor, body }) {
      const { power_on, dns, depot, trust_root: trust } = body;
      const at = await standing(services, actor, body);
      const needs = 'This needs the machine to be switched on.';
      const early = [...(trust ? ['trust_root'] : []), ...(depot ? ['depot'] : [])];
      if (!power_on && early.length > 0)
        throw invalid(...early.map((name) => ({ pointer: `/${name}`, detail: needs })));
      keep(services, at, { ...at.deployment, after: { power_on, extras: { dns, trust, depot } }, checks: null });
    },
    async run() {
      return { body: {} };
    },
  },
  {
    page: DEPLOY_TASK.path,
    decode: (fields) => ({
      ...decodeTexts(texts)(fields),
      ...Object.fromEntries(SWITCHES.map((name) => [name, fields.checked(name)])),
    }),
    done: (_answer, fields) => ({ location: onwards(DEPLOY_TASK, fields, { step: 'review' }) }),
  },
);
