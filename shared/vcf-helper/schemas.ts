// What the API says about generated names, and what it accepts.
import * as v from 'valibot';
import { component, integerSchema, listed } from '../operation/component.ts';
import { CATALOGS } from './catalogs/index.ts';

const CATALOG_IDS = CATALOGS.map(({ id }) => id) as [string, ...string[]];

const described = <S extends v.GenericSchema>(schema: S, text: string) => v.pipe(schema, v.description(text));
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

/** The browser form: what is created has been looked at. */
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
const address = { type: addressType, address: v.string() };
const name = {
  component: described(v.string(), 'Host name of the catalog.'),
  label: described(v.string(), 'What the component is.'),
  fqdn: v.string(),
};

export const fqdnRowSchema = component(
  'GeneratedFqdn',
  v.object({
    ...name,
    addresses: v.array(v.object(address)),
    reason: described(v.string(), 'Why it was skipped or preserved; empty for what was done.'),
  }),
);
export type FqdnRow = v.InferOutput<typeof fqdnRowSchema>;

/** Of a creation and of a deletion alike. */
export const resultSchema = component(
  'GeneratedFqdnsResult',
  v.object({
    created: v.array(fqdnRowSchema),
    skipped: v.array(fqdnRowSchema),
    deleted: v.array(fqdnRowSchema),
    preserved: v.array(fqdnRowSchema),
    errors: described(
      v.array(v.object({ pointer: v.string(), detail: v.string() })),
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
    addresses: v.array(
      v.object({
        ...address,
        reverse_name: described(v.string(), 'Name of its PTR record.'),
        reverse: described(v.string(), 'What the PTR record names, or will name.'),
        generated: described(v.boolean(), 'Whether a deletion of generated records takes it.'),
      }),
    ),
    reason: described(v.string(), 'Why the name is skipped; empty when it is not.'),
    passed_over: described(
      v.array(v.object({ address: v.string(), count: integerSchema, reason: v.string() })),
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
    family: v.picklist(['ipv4', 'ipv6']),
    network: v.string(),
    start: v.string(),
    wanted: described(integerSchema, 'Names that need an address.'),
    shortfall: described(integerSchema, 'Addresses that the network lacks; 0 when there are enough.'),
    free: described(integerSchema, 'Free addresses from the first one on, the planned ones among them.'),
    free_is_exact: described(v.boolean(), 'False: there are more; the network was not read to its end.'),
    next_free: v.nullable(v.string()),
    node_ranges: described(
      v.array(v.object({ purpose: v.string(), count: integerSchema, first: v.string(), last: v.string() })),
      'Free ranges behind the planned addresses for nodes that need addresses in one piece but no names: keep them free.',
    ),
  }),
);
export type PreviewNetwork = v.InferOutput<typeof networkSchema>;

export const previewSchema = component(
  'GeneratedFqdnsPreview',
  v.object({
    catalog: v.picklist(CATALOG_IDS),
    prefix: v.string(),
    suffix: v.string(),
    domain: v.string(),
    rows: v.array(rowSchema),
    networks: v.array(networkSchema),
    to_create: described(integerSchema, 'Names that would be created.'),
    deletable: described(integerSchema, 'Records that a deletion of generated records takes.'),
    complete: described(v.boolean(), 'Whether every name has an address record.'),
    warnings: v.array(v.string()),
    digest: described(v.string(), 'Of the planned names and addresses: what a confirmed creation sends back.'),
  }),
);
export type Preview = v.InferOutput<typeof previewSchema>;

const answerOf = described(
  v.object({ rcode: v.nullable(v.string()), answers: v.array(v.string()), error: v.nullable(v.string()) }),
  'As the server answered; `error` when it did not.',
);

export const checkSchema = component(
  'GeneratedFqdnsCheck',
  v.object({
    server: described(v.nullable(v.string()), 'Address of the applied name service that was asked; null: nobody was.'),
    why_not: described(v.string(), 'Why nobody was asked; empty when somebody was.'),
    passed: described(v.boolean(), 'Whether an installer would find every name, forward and reverse.'),
    rows: v.array(
      v.object({
        ...name,
        ...address,
        forward: answerOf,
        reverse: answerOf,
        fault: described(v.string(), 'What an installer would refuse; empty when nothing is wrong.'),
      }),
    ),
    missing: described(v.array(v.string()), 'Names that have no saved address record.'),
    in_use: described(
      v.array(v.object({ address: v.string(), fqdn: v.string(), said: v.string() })),
      'Planned addresses at which something answers on the network already.',
    ),
    in_use_asked: described(integerSchema, 'Planned addresses that were tried.'),
  }),
);
export type Check = v.InferOutput<typeof checkSchema>;
