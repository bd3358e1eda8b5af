// Deployment: the OVF properties, but for passwords, which are asked for at the review. Keeps them for the next steps.
import * as v from 'valibot';
import { propertyValues } from '../../shared/ground/ova/property-values.ts';
import { invalid } from '../../shared/ground/problems.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { chosenPackage, keep, standing } from '../../shared/vcf/deployment/choose.ts';
import { asked, atFields, DEPLOY_TASK } from '../../shared/vcf/deployment/wizard-task.ts';
import { decodeTexts, onwards, TRUSTED } from '../../shared/vcf/remote/wizard-operations.ts';

/** Characters that vSphere takes in a property. */
const VALUE_MOST = 65_535;
const texts = v.strictObject(TRUSTED);
const body = v.strictObject({
  ...texts.entries,
  /** Field → value. */
  typed: v.record(v.string(), v.pipe(v.string(), v.maxLength(VALUE_MOST, `At most ${VALUE_MOST} characters.`))),
});

export const operation = defineForm(
  {
    id: 'sddcManagerPropertiesForm',
    path: `${DEPLOY_TASK.path}/properties`,
    access: { session: DEPLOY_TASK.scope },
    effect: 'immediate',
    tag: 'Remote machines',
    summary: 'Give the OVF properties',
    description: 'Changes nothing: the values are kept for the review. Passwords are not among them.',
    body,
    bodyLimit: 512 << 10,
    audit: 'none',
    guarded: false,
    problems: ['state_conflict'],
    async prepare({ services, actor, body }) {
      const at = await standing(services, actor, body);
      const { deployment } = at;
      const { descriptor } = await chosenPackage(services, deployment);
      const open = asked(descriptor, false);
      const properties = Object.fromEntries(open.map(({ field, property }) => [property.key, body.typed[field] ?? '']));
      // What is missing of passwords is asked for later.
      const mine = new Set(open.map(({ property }) => `/properties/${property.key}`));
      const { errors } = propertyValues(descriptor, deployment.placement?.deployment_option ?? '', properties);
      const faults = errors.filter(({ pointer }) => mine.has(pointer.replaceAll('~1', '/').replaceAll('~0', '~')));
      if (faults.length > 0) throw invalid(...atFields(descriptor, faults));
      keep(services, at, { ...deployment, properties, checks: null });
    },
    async run() {
      return { body: {} };
    },
  },
  {
    page: DEPLOY_TASK.path,
    decode: (fields) => ({
      ...decodeTexts(texts)(fields),
      typed: Object.fromEntries([...fields.values].filter(([name]) => /^p\d{1,4}$/.test(name))),
    }),
    done: (_answer, fields) => ({ location: onwards(DEPLOY_TASK, fields, { step: 'after' }) }),
  },
);
