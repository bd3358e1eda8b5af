// Deployment: what is done once the disks are uploaded. Keeps it for the review.
import * as v from 'valibot';
import { invalid } from '../../shared/ground/problems.ts';
import { choiceForm } from '../../shared/vcf/deployment/choice-form.ts';
import { TRUSTED } from '../../shared/vcf/remote/wizard-operations.ts';

const SWITCHES = ['power_on', 'dns', 'trust_root', 'depot'] as const;
const texts = v.strictObject(TRUSTED);
const body = v.strictObject({
  ...texts.entries,
  ...{ power_on: v.boolean(), dns: v.boolean(), trust_root: v.boolean(), depot: v.boolean() },
});

export const operation = choiceForm({
  step: 'after',
  summary: 'Choose what is done after the import',
  description: 'Changes nothing: the choice is kept for the review.',
  body,
  texts,
  others: (fields) => Object.fromEntries(SWITCHES.map((name) => [name, fields.checked(name)])),
  next: 'review',
  choose({ at: { deployment }, body: { power_on, dns, depot, trust_root: trust } }) {
    const needs = 'This needs the machine to be switched on.';
    const early = [...(trust ? ['trust_root'] : []), ...(depot ? ['depot'] : [])];
    if (!power_on && early.length > 0) throw invalid(...early.map((name) => ({ pointer: `/${name}`, detail: needs })));
    return { ...deployment, after: { power_on, extras: { dns, trust, depot } }, checks: null };
  },
});
