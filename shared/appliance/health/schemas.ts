// How the API says how the appliance is.
import * as v from 'valibot';
import { component, described, instantSchema, integerSchema, text } from '../../ground/schemas/component.ts';
import { UNIT_IDS } from '../../platform/unit-names.ts';
import { CONDITIONS, SEVERITIES } from '../../vcf/alerts/condition-ids.ts';
import { STATE_IDS } from '../states/state-ids.ts';

export const healthSchema = component(
  'ApplianceHealth',
  v.object({
    status: described(v.picklist(['ok', 'attention']), 'attention: there is at least one condition.'),
    checked_at: instantSchema,
    conditions: described(
      v.array(
        component(
          'HealthCondition',
          v.object({
            id: described(
              v.picklist(Object.keys(CONDITIONS) as [keyof typeof CONDITIONS]),
              Object.entries(CONDITIONS)
                .map(([id, says]) => `\`${id}\`: ${says}`)
                .join(' '),
            ),
            severity: described(
              v.picklist(SEVERITIES),
              'critical: something does not work, or is about to be lost. warning: somebody should look at it.',
            ),
            subject: text('What it is of: a unit, the purpose of a certificate, a disk or a DHCP scope.'),
            says: text('The condition in a sentence or two.'),
          }),
        ),
      ),
      'What needs somebody, the worst first.',
    ),
    services: described(
      v.array(
        component(
          'ServiceHealth',
          v.object({
            unit: described(v.picklist(UNIT_IDS), 'Id of the unit.'),
            label: text('Its name.'),
            state: described(v.picklist(STATE_IDS), 'What pages say of it in one word.'),
            pending: described(v.boolean(), 'Whether an apply would change it.'),
            applied_at: described(v.nullable(instantSchema), 'When it was last applied; null: never.'),
            answers: described(
              v.nullable(v.boolean()),
              'Whether it answered as applied when it was last asked; null: not asked since.',
            ),
            asked_at: described(v.nullable(instantSchema), 'When it was last asked.'),
          }),
        ),
      ),
      'Every unit, in the order of an apply.',
    ),
    certificates: described(
      v.array(
        component(
          'CertificateEnd',
          v.object({
            purpose: text('What it is for; `authority`: the root that signs; `management-ui`: what this UI shows.'),
            not_after: instantSchema,
            days_left: described(integerSchema, 'Whole days until then; negative: it has ended.'),
          }),
        ),
      ),
      'Certificates in use, the first to end first: of each purpose one.',
    ),
    newest_archive_at: described(
      v.nullable(instantSchema),
      'When the newest verified copy of an archive was made; null: there is none.',
    ),
    sampled_at: described(
      v.nullable(instantSchema),
      'When daemons, leases and disks were last checked; null: not since the service started.',
    ),
  }),
);
