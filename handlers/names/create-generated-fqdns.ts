// Creates the missing names of a deployment, all of them or none.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { generate, requireRequest } from '../../shared/vcf/names/generate.ts';
import { createSchema, resultSchema } from '../../shared/vcf/names/schemas.ts';

export const operation = defineOperation({
  id: 'createGeneratedFqdns',
  method: 'POST',
  path: '/api/v1/vcf-helper/generated-fqdns',
  access: { scope: 'write:dns' },
  effect: 'desired-state',
  tag: 'Deployment helper',
  summary: 'Create the names of a deployment',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. Creates A and AAAA records for the missing names by the rules of the preview, with the component’s name as description and with their owner: `source` is `vcf_helper`, `component` the host name of the catalog. A reverse record follows each address by itself. All records or none: when a network cannot give an address to every missing name, 409 `addresses_exhausted` says how many are missing. With the `digest` of a preview exactly the previewed addresses are given; when that is no longer possible, 409 `preview_stale` carries the fresh preview in `preview`. When no name is missing the answer has no created rows.',
  body: createSchema,
  answers: { 200: { description: 'What was created and what was skipped.', schema: resultSchema } },
  problems: ['already_exists', 'state_conflict', 'preview_stale', 'addresses_exhausted'],
  audit: ['vcf_helper.fqdns.create'],
  async run({ services, tx, body, audit }) {
    const request = requireRequest(body, 'needed');
    const { result } = await generate(tx, services, request, body.digest);
    const { catalog, prefix, suffix, domain, starts } = request;
    const addresses = result.created.flatMap((row) => row.addresses.map(({ address }) => address));
    const detail = {
      catalog: catalog.id,
      prefix,
      suffix,
      domain,
      starts: starts.map(({ text }) => text),
      created: result.created.length,
      skipped: result.skipped.length,
      addresses,
    };
    audit({ action: 'vcf_helper.fqdns.create', resource_type: 'dns_zone', resource_id: null, detail });
    return { body: result };
  },
});
