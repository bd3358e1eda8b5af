// The fields of the forms of a rule, as members of the body.
import type { FormFields } from '../../kernel/operation/operation.ts';

export const ruleFields = (fields: FormFields) => ({
  name: fields.text('name'),
  // Empty: the rule keeps its position, or a new one goes to the end.
  position: fields.text('position') === '' ? undefined : fields.integer('position'),
  action: fields.optional('action'),
  direction: fields.optional('direction'),
  interface: fields.text('interface'),
  source_cidr: fields.text('source_cidr'),
  destination_cidr: fields.text('destination_cidr'),
  protocol: fields.optional('protocol'),
  ports: fields.text('ports'),
  log: fields.checked('log'),
  enabled: fields.checked('enabled'),
  description: fields.text('description'),
});
