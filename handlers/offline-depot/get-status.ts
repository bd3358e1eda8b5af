// Whether other appliances can take their software from the depot, and what is missing if not.
import * as v from 'valibot';
import { component, described, integerSchema, text } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { CONDITIONS, depotAvailability } from '../../shared/services/offline-depot/serving/availability.ts';

const missing = component(
  'DepotCondition',
  v.object({
    code: v.pipe(v.picklist(CONDITIONS), v.description('What is missing.')),
    text: v.pipe(v.string(), v.description('What is missing and what to do, for people.')),
    page: v.pipe(v.string(), v.description('Page where it is done.')),
  }),
);

const endpoint = component(
  'DepotEndpoint',
  v.object({
    hostname: v.pipe(v.string(), v.description('Host name, or the address where it has none.')),
    address: text('Address that it answers on.'),
    port: described(integerSchema, 'TCP port of HTTPS.'),
    url: v.pipe(v.string(), v.description('`https://depot.lab.example`, with the port where it is not 443.')),
    username: v.pipe(v.string(), v.description('The depot user that can log in.')),
    software_depot_id: text('UUID (RFC 9562), version 4.'),
    ca_pem: v.pipe(v.string(), v.description('The root certificate that a client has to trust.')),
    ca_sha256: v.pipe(v.string(), v.description('Its fingerprint, as `AA:BB:…`.')),
  }),
);

const status = component(
  'DepotStatus',
  v.object({
    missing: v.pipe(v.array(missing), v.description('Empty exactly when there is an endpoint.')),
    endpoint: described(v.nullable(endpoint), 'Where it is reached; null while something is missing.'),
  }),
);

export const operation = defineOperation({
  id: 'getDepotStatus',
  method: 'GET',
  path: '/api/v1/private-cloud-services/status',
  access: { scope: 'read:depot' },
  tag: 'Offline depot',
  summary: 'Get the status of the offline depot',
  description:
    'Whether other appliances can be configured to take their software from here: the depot is on, what was saved is in force, its certificate is of our own authority, it has a software depot ID, and a depot user is chosen. Each condition that does not hold is named with what to do.',
  answers: { 200: { description: 'Where the depot is reached, or what is missing.', schema: status } },
  async run({ services }) {
    return { body: await depotAvailability(services) };
  },
});
