// Settings of the management UI's certificate: where it comes from, and the names that it has to have.
import * as v from 'valibot';
import { canonicalName, hostNameFault } from '../../ground/addresses/domain-name.ts';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { word } from '../../platform/units/settings-schemas.ts';
import { namesFault } from './uploaded-names.ts';

/** `self_signed`: what the service was started with. */
export const SOURCES = ['self_signed', 'issued', 'uploaded'] as const;
export type Source = (typeof SOURCES)[number];

export const MANAGEMENT_NAMES_MOST = 16;

const name = v.pipe(
  v.string(),
  v.transform(canonicalName),
  v.check((text) => hostNameFault(text) === null, 'Must be a host name, such as gc01.lab.example.'),
);

const MEMBERS = {
  source: word(
    SOURCES,
    'Where the certificate comes from: `self_signed`, the one that the service was started with; `issued`, by the appliance’s own certificate authority, which also renews it; `uploaded`, the one that was uploaded.',
  ),
  names: v.pipe(
    v.array(name),
    v.maxLength(MANAGEMENT_NAMES_MOST, `At most ${MANAGEMENT_NAMES_MOST} names.`),
    v.check((names) => new Set(names).size === names.length, 'Names a host twice.'),
    v.description(
      `Host names under which browsers reach the management UI, at most ${MANAGEMENT_NAMES_MOST}. An issued certificate is for them and for the addresses of the management UI; an uploaded one has to have all of them.`,
    ),
  ),
};

export const managementTlsSettings: UnitSettings<typeof MEMBERS> = {
  key: 'management-tls',
  unit: 'management-tls',
  component: 'ManagementTls',
  tag: 'Management TLS',
  name: 'the certificate of the management UI',
  resource: 'management-tls',
  path: '/api/v1/management-tls',
  page: pagePath('management-tls-settings'),
  schema: v.strictObject(MEMBERS),
  example: { source: 'issued', names: ['gc01.lab.example'] },
  defaults: { source: 'self_signed', names: [] },
  listens: 'no',
  faults: ({ source, names }) =>
    source === 'issued' && names.length === 0
      ? [{ pointer: '/names', detail: 'An issued certificate needs a host name: browsers compare it.' }]
      : [],
  refers: namesFault,
  names_management: ({ names }) => names.map((name, at) => ({ pointer: `/names/${at}`, name })),
  describes:
    'An issued certificate is made with the next plan, renewed in the last third of its life, and each new one waits for a plan of its own. Of an uploaded one, nobody renews it: it has to be uploaded again.',
};
