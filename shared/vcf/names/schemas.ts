// Schemas of generated names.
import * as v from 'valibot';
import { CATALOGS } from '../../ground/catalogs/index.ts';
import { component, described, integerSchema, listed, text } from '../../ground/schemas/component.ts';

const CATALOG_IDS = CATALOGS.map(({ id }) => id) as [string, ...string[]];

const short = (text: string) => v.pipe(v.string(), v.maxLength(255, 'At most 255 characters.'), v.description(text));

/** What names a deployment: the same members in a query, a form and a body. */
export const NAMES_MEMBERS = {
  catalog: v.pipe(
    short(
      'Deployment catalog: VMware Cloud Foundation or vSphere Foundation. Its label and any case are read as well.',
    ),
    listed(CATALOG_IDS),
  ),
  prefix: v.optional(short('Before each host name of the catalog; letters, digits and hyphens. Default: nothing.')),
  suffix: v.optional(short('After each host name of the catalog; letters, digits and hyphens. Default: nothing.')),
  domain: short('Name of a managed zone.'),
};

export const START_MEMBERS = {
  start_ipv4_cidr: v.optional(
    short('First IPv4 address with the prefix length of its network: every missing name gets an A record.'),
  ),
  start_ipv6_cidr: v.optional(
    short('First IPv6 address with the prefix length of its network: every missing name gets an AAAA record.'),
  ),
};

export const createSchema = component(
  'GeneratedFqdnsCreate',
  v.strictObject({
    ...NAMES_MEMBERS,
    ...START_MEMBERS,
    digest: v.optional(
      short(
        'Digest of the preview that was confirmed: when other addresses would be given now, 409 `preview_stale` and nothing is created. Without it the addresses are those of the moment.',
      ),
    ),
  }),
  {
    catalog: 'vcf-9.1',
    prefix: 'm01-',
    domain: 'lab.test',
    start_ipv4_cidr: '192.0.2.20/24',
    start_ipv6_cidr: '2001:db8:10::20/64',
  },
);

/** The browser form, which creates exactly what its preview showed. */
export const createFormSchema = v.strictObject({
  ...NAMES_MEMBERS,
  ...START_MEMBERS,
  digest: short('Digest of the preview that was confirmed.'),
  confirm: v.literal(true, 'Tick it to confirm what is created.'),
});

export const deleteSchema = component('GeneratedFqdnsDelete', v.strictObject(NAMES_MEMBERS), {
  catalog: 'vcf-9.1',
  prefix: 'm01-',
  domain: 'lab.test',
});
export const deleteFormSchema = v.strictObject({
  ...NAMES_MEMBERS,
  confirm: v.literal(true, 'Confirm what is deleted.'),
});

const addressType = v.picklist(['A', 'AAAA']);
const address = {
  type: described(addressType, 'Type of the record.'),
  address: text('The address.'),
};
const name = {
  component: described(v.string(), 'Host name of the catalog.'),
  label: described(v.string(), 'What the component is.'),
  fqdn: text('Full name of the machine.'),
};

export const fqdnRowSchema = component(
  'GeneratedFqdn',
  v.object({
    ...name,
    addresses: described(v.array(v.object(address)), 'Its address records.'),
    reason: described(v.string(), 'Why it was skipped or preserved; empty for what was done.'),
  }),
);
export type FqdnRow = v.InferOutput<typeof fqdnRowSchema>;

/** Of a creation and of a deletion alike. */
export const resultSchema = component(
  'GeneratedFqdnsResult',
  v.object({
    created: described(v.array(fqdnRowSchema), 'Names that were created.'),
    skipped: described(v.array(fqdnRowSchema), 'Names that were there already.'),
    deleted: described(v.array(fqdnRowSchema), 'Names that were deleted.'),
    preserved: described(v.array(fqdnRowSchema), 'Names that stay, each with the reason.'),
    errors: described(
      v.array(
        v.object({ pointer: text('JSON pointer into the body.'), detail: text('What is wrong with the value.') }),
      ),
      'Empty: what is refused answers a problem with its errors instead.',
    ),
  }),
);
export type Result = v.InferOutput<typeof resultSchema>;

export const rowSchema = component(
  'GeneratedFqdnPreview',
  v.object({
    ...name,
    state: described(
      v.picklist(['planned', 'missing', 'existing', 'occupied']),
      '`planned`: gets the addresses named. `missing`: no address yet. `existing`: has address records, skipped. `occupied`: has records of other types only, skipped.',
    ),
    addresses: described(
      v.array(
        v.object({
          ...address,
          reverse_name: described(v.string(), 'Name of its PTR record.'),
          reverse: described(v.string(), 'What the PTR record names, or will name.'),
          generated: described(v.boolean(), 'Whether a deletion of generated records takes it.'),
        }),
      ),
      'Its address records, planned or existing.',
    ),
    reason: described(v.string(), 'Why the name is skipped; empty when it is not.'),
    passed_over: described(
      v.array(
        v.object({
          address: text('First address that was passed over.'),
          count: described(integerSchema, 'How many, that one included.'),
          reason: text('Why.'),
        }),
      ),
      'Addresses that were not given, right before the planned one: the first of them, how many, and why.',
    ),
    warnings: described(
      v.array(v.string()),
      'What an installer or the network may trip over. Nothing is refused for it.',
    ),
  }),
);
export type PreviewRow = v.InferOutput<typeof rowSchema>;

export const networkSchema = component(
  'GeneratedFqdnNetwork',
  v.object({
    family: described(v.picklist(['ipv4', 'ipv6']), 'Address family.'),
    network: text('Network in CIDR notation.'),
    start: text('First address that may be given.'),
    wanted: described(integerSchema, 'Names that need an address.'),
    shortfall: described(integerSchema, 'Addresses that the network lacks; 0 when there are enough.'),
    free: described(integerSchema, 'Free addresses from the first one on, the planned ones among them.'),
    free_is_exact: described(v.boolean(), 'False: there are more; the network was not read to its end.'),
    next_free: described(v.nullable(v.string()), 'First free address behind the planned ones; null: there is none.'),
    node_ranges: described(
      v.array(
        v.object({
          purpose: text('What the addresses are for.'),
          count: described(integerSchema, 'How many there are.'),
          first: text('First address.'),
          last: text('Last address, included.'),
        }),
      ),
      'Free ranges behind the planned addresses for nodes that need addresses in one piece but no names: keep them free.',
    ),
  }),
);
export type PreviewNetwork = v.InferOutput<typeof networkSchema>;

export const previewSchema = component(
  'GeneratedFqdnsPreview',
  v.object({
    catalog: described(v.picklist(CATALOG_IDS), 'Deployment catalog.'),
    prefix: text('Before each host name of the catalog.'),
    suffix: text('After each host name of the catalog.'),
    domain: text('Zone of the names.'),
    rows: described(v.array(rowSchema), 'The names, in the order of the catalog.'),
    networks: described(v.array(networkSchema), 'Networks that the addresses are taken from, IPv4 first.'),
    to_create: described(integerSchema, 'Names that would be created.'),
    deletable: described(integerSchema, 'Records that a deletion of generated records takes.'),
    complete: described(v.boolean(), 'Whether every name has an address record.'),
    warnings: described(
      v.array(v.string()),
      'What an installer or the network may trip over. Nothing is refused for it.',
    ),
    digest: described(v.string(), 'Of the planned names and addresses: what a confirmed creation sends back.'),
  }),
);
export type Preview = v.InferOutput<typeof previewSchema>;

const answerOf = described(
  v.object({
    rcode: described(v.nullable(v.string()), 'Response code of DNS, such as NOERROR; null: no answer.'),
    answers: described(v.array(v.string()), 'Addresses or names that were answered.'),
    error: described(v.nullable(v.string()), 'Why there was no answer; null when there was one.'),
  }),
  'As the server answered; `error` when it did not.',
);

export const checkSchema = component(
  'GeneratedFqdnsCheck',
  v.object({
    server: described(v.nullable(v.string()), 'Address of the applied name service that was asked; null: nobody was.'),
    why_not: described(v.string(), 'Why nobody was asked; empty when somebody was.'),
    passed: described(v.boolean(), 'Whether an installer would find every name, forward and reverse.'),
    rows: described(
      v.array(
        v.object({
          ...name,
          ...address,
          forward: answerOf,
          reverse: answerOf,
          fault: described(v.string(), 'What an installer would refuse; empty when nothing is wrong.'),
        }),
      ),
      'One for each address record.',
    ),
    missing: described(v.array(v.string()), 'Names that have no saved address record.'),
    in_use: described(
      v.array(
        v.object({
          address: text('The address.'),
          fqdn: text('Name that it is planned for.'),
          said: text('What answered there.'),
        }),
      ),
      'Planned addresses at which something answers on the network already.',
    ),
    in_use_asked: described(integerSchema, 'Planned addresses that were tried.'),
  }),
);
export type Check = v.InferOutput<typeof checkSchema>;
