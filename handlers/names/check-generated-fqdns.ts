// Asks the applied name service for a deployment's names.
import * as v from 'valibot';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { check } from '../../shared/vcf/names/check.ts';
import { preview, requireRequest } from '../../shared/vcf/names/generate.ts';
import { checkSchema, NAMES_MEMBERS, START_MEMBERS } from '../../shared/vcf/names/schemas.ts';

export const operation = defineOperation({
  id: 'checkGeneratedFqdns',
  method: 'GET',
  path: '/api/v1/vcf-helper/generated-fqdns/check',
  access: { scope: 'write:dns' },
  tag: 'Deployment helper',
  summary: 'Check the names of a deployment',
  description:
    'Saves nothing and takes up to a few seconds. Asks the name service as it was last applied, at its first address, for every saved address record of the names and for its reverse record, and judges as an installer does: exactly the saved addresses, and one PTR record that equals the name character by character. With first addresses it also tries whether something answers at the planned addresses on the network: machines on a link of the appliance always do, others only when they refuse or answer a packet. In a rehearsal no server runs and nobody is asked; `why_not` says so.',
  query: v.strictObject({ ...NAMES_MEMBERS, ...START_MEMBERS }),
  answers: {
    200: {
      description: 'Each name with what the applied name service answered, forward and reverse.',
      schema: checkSchema,
    },
  },
  async run({ services, db, query }) {
    const previewed = await preview(db, requireRequest(query, 'optional'));
    return { body: await check(services, previewed.preview) };
  },
});
