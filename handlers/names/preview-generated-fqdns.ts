// What generating a deployment's names would do.
import * as v from 'valibot';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { preview, requireRequest } from '../../shared/vcf/names/generate.ts';
import { NAMES_MEMBERS, previewSchema, START_MEMBERS } from '../../shared/vcf/names/schemas.ts';

export const operation = defineOperation({
  id: 'previewGeneratedFqdns',
  method: 'GET',
  path: '/api/v1/vcf-helper/generated-fqdns/preview',
  access: { scope: 'write:dns' },
  tag: 'Deployment helper',
  summary: 'Preview the names of a deployment',
  description:
    'Saves nothing. Names are `<prefix><catalog host name><suffix>.<domain>` in lower case. A name that has a record of any type, enabled or not, is skipped; every other gets one address of each first address given, in the order of the catalog: the first free one from there on in that network. Passed over are addresses of records of that family, disabled ones too, IPv4 addresses of DHCP reservations, the network address of either family and the IPv4 broadcast address. Addresses below the first one are never given. What else may be wrong with an address (a dynamic pool, a gateway, an address of this appliance, a PTR record that names something else, an IPv6 reservation) is a warning. Without a first address the answer only shows what the names have.',
  query: v.strictObject({ ...NAMES_MEMBERS, ...START_MEMBERS }),
  answers: { 200: { description: 'Every name with the addresses that it would get.', schema: previewSchema } },
  async run({ db, query }) {
    return { body: (await preview(db, requireRequest(query, 'optional'))).preview };
  },
});
