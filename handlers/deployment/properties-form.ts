// Deployment: the OVF properties, but for passwords, which are asked for at the review. Keeps them for the next steps.
import * as v from 'valibot';
import { propertyValues } from '../../shared/ground/ova/property-values.ts';
import { invalid } from '../../shared/ground/problems.ts';
import { choiceForm } from '../../shared/vcf/deployment/choice-form.ts';
import { chosenPackage } from '../../shared/vcf/deployment/choose.ts';
import { asked, atFields } from '../../shared/vcf/deployment/wizard-task.ts';
import { TRUSTED } from '../../shared/vcf/remote/wizard-operations.ts';

/** Characters that vSphere takes in a property. */
const VALUE_MOST = 65_535;
const texts = v.strictObject(TRUSTED);
const body = v.strictObject({
  ...texts.entries,
  /** Field → value. */
  typed: v.record(v.string(), v.pipe(v.string(), v.maxLength(VALUE_MOST, `At most ${VALUE_MOST} characters.`))),
});

export const operation = choiceForm({
  step: 'properties',
  summary: 'Give the OVF properties',
  description: 'Changes nothing: the values are kept for the review. Passwords are not among them.',
  body,
  bodyLimit: 512 << 10,
  texts,
  others: ({ values }) => ({ typed: Object.fromEntries([...values].filter(([name]) => /^p\d{1,4}$/.test(name))) }),
  next: 'after',
  async choose({ services, at: { deployment }, body }) {
    const { descriptor } = await chosenPackage(services, deployment);
    const open = asked(descriptor, false);
    const properties = Object.fromEntries(open.map(({ field, property }) => [property.key, body.typed[field] ?? '']));
    // What is missing of passwords is asked for later.
    const mine = new Set(open.map(({ property }) => `/properties/${property.key}`));
    const { errors } = propertyValues(descriptor, deployment.placement?.deployment_option ?? '', properties);
    const faults = errors.filter(({ pointer }) => mine.has(pointer.replaceAll('~1', '/').replaceAll('~0', '~')));
    if (faults.length > 0) throw invalid(...atFields(descriptor, faults));
    return { ...deployment, properties, checks: null };
  },
});
