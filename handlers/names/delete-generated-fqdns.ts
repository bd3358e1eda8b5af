// Deletes the generated records of a deployment's names.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { deleteGenerated, requireRequest } from '../../shared/vcf/names/generate.ts';
import { deleteSchema, resultSchema } from '../../shared/vcf/names/schemas.ts';

export const operation = defineOperation({
  id: 'deleteGeneratedFqdns',
  method: 'POST',
  path: '/api/v1/vcf-helper/generated-fqdns/delete',
  access: { scope: 'write:dns' },
  effect: 'desired-state',
  tag: 'Deployment helper',
  summary: 'Delete the generated names of a deployment',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. Deletes the A and AAAA records of exactly these names that the helper owns for the component; names that only another catalog has stay, and so does what a deployment saved for its machine. A record without any owner is deleted when its description is exactly that of the component: releases before owners were kept made such records. Every other record of the names is preserved, and its row says why. Nothing to delete is no error.',
  body: deleteSchema,
  answers: { 200: { description: 'What was deleted and what was preserved.', schema: resultSchema } },
  audit: ['vcf_helper.fqdns.delete'],
  async run({ tx, body, audit }) {
    const request = requireRequest(body, 'optional');
    const result = await deleteGenerated(tx, request);
    const { catalog, prefix, suffix, domain } = request;
    const addresses = result.deleted.flatMap((row) => row.addresses.map(({ address }) => address));
    const counts = { deleted: addresses.length, preserved: result.preserved.length };
    const detail = { catalog: catalog.id, prefix, suffix, domain, ...counts, addresses };
    audit({ action: 'vcf_helper.fqdns.delete', resource_type: 'dns_zone', resource_id: null, detail });
    return { body: result };
  },
});
