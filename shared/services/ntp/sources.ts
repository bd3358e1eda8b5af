// Time sources: servers from which the appliance itself gets the time.
import * as v from 'valibot';
import { isLinkLocal, isUnicast, parseAddress } from '../../ground/addresses/address.ts';
import { canonicalName, hostNameFault } from '../../ground/addresses/domain-name.ts';
import { type FieldError, invalid } from '../../ground/problems.ts';
import { component, described, idSchema, listOf, text } from '../../ground/schemas/component.ts';
import type { Database } from '../../ground/store/database.ts';
import { loadInterfaces } from '../../platform/interfaces/interface.ts';
import { usableAddresses } from '../../platform/interfaces/management-listener.ts';
import { type Collection, type Kept, told } from '../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS, readWord, wordOf } from '../../platform/units/kept-members.ts';

export const SOURCE_KINDS = ['server', 'pool'] as const;

export interface NtpSource extends Kept {
  /** Canonical address or host name. */
  address: string;
  kind: (typeof SOURCE_KINDS)[number];
  nts: boolean;
  prefer: boolean;
}

const address = v.pipe(
  v.string(),
  v.maxLength(255, 'At most 255 characters.'),
  v.description('Host name, or an IPv4 or IPv6 address of another machine. Unique.'),
);
const KIND = 'server: one machine. pool: a host name of several servers.';
const kind = wordOf(SOURCE_KINDS, `${KIND} Default server.`);
const nts = described(
  v.boolean(),
  'Authenticated by Network Time Security (RFC 8915), whose certificate names the host: not possible with an address. Default false.',
);
const prefer = described(v.boolean(), 'Chosen before equally good sources without it. Default false.');
const enabled = enabledMember('saved, but not used.');

const item = component(
  'NtpSource',
  v.object({
    id: idSchema,
    address: text('Address or host name.'),
    kind: described(v.picklist(SOURCE_KINDS), KIND),
    nts,
    prefer,
    ...KEPT_MEMBERS,
  }),
);
const choices = {
  kind: v.optional(kind),
  nts: v.optional(nts),
  prefer: v.optional(prefer),
  enabled: v.optional(enabled),
  description: v.optional(descriptionMember),
};

export const ntpSources: Collection<NtpSource> = {
  table: 'ntp_source',
  prefix: 'ntpsrc',
  noun: 'NTP source',
  tag: 'NTP',
  resource: 'ntp',
  path: '/api/v1/ntp/sources',
  param: 'source_id',
  pages: { all: 'ntp-sources', one: 'ntp-source', home: 'ntp' },
  listed: { component: 'NtpSources', noun: 'source', nouns: 'sources' },
  imports: { key: ['address'] },
  action: 'ntp.source',
  columns: { address: 'text', kind: 'text', nts: 'boolean', prefer: 'boolean' },
  order: ['address'],
  lookups: ['address', 'enabled'],
  spelling: { address: (text) => parseAddress(text.trim())?.text ?? canonicalName(text) },
  immutable: [],
  defaults: { kind: 'server', nts: false, prefer: false },
  schemas: {
    item,
    list: listOf('NtpSourceList', item),
    create: component('NtpSourceCreate', v.strictObject({ address, ...choices }), {
      address: 'time1.lab.test',
      kind: 'server',
      nts: true,
      prefer: true,
    }),
    update: component('NtpSourceUpdate', v.strictObject({ address: v.optional(address), ...choices }), {
      enabled: false,
      description: 'In repair',
    }),
  },
  title: (source) => source.address,
  facts: told('kind', 'nts', 'prefer', 'enabled'),
  async settle(tx, next, before) {
    const source = canonicalSource(next);
    if (source.address !== before?.address) await refuseOwn(tx, source.address);
    return source;
  },
};

/** @throws Problem 422 naming every faulty member. */
function canonicalSource(source: NtpSource): NtpSource {
  const errors: FieldError[] = [];
  const kind = readWord(SOURCE_KINDS, source.kind);
  if (!kind) errors.push({ pointer: '/kind', detail: 'Must be server or pool.' });
  const number = parseAddress(source.address.trim());
  const address = number?.text ?? canonicalName(source.address);
  const detail = number ? numberFault(source, kind, number) : nameFaultOf(address);
  if (detail) errors.push({ pointer: '/address', detail });
  if (!kind || errors.length > 0) throw invalid(...errors);
  return { ...source, kind, address };
}

type Parsed = NonNullable<ReturnType<typeof parseAddress>>;

function numberFault({ nts }: NtpSource, kind: string | null, number: Parsed): string | null {
  if (!isUnicast(number) || isLinkLocal(number)) {
    return 'Must be the address of another machine: not loopback, link-local, multicast or unspecified.';
  }
  if (nts) return 'With NTS the source must be a host name: its certificate names the host, not an address.';
  return kind === 'pool' ? 'A pool is a host name of several servers; an address is a server.' : null;
}

function nameFaultOf(name: string): string | null {
  if (name === 'localhost' || name.endsWith('.localhost')) return 'Must be another machine, not this appliance.';
  return hostNameFault(name);
}

/** @throws Problem 422 for an address of this appliance. */
async function refuseOwn(tx: Database, address: string): Promise<void> {
  if (!parseAddress(address)) return;
  const own = (await loadInterfaces(tx)).find((row) => usableAddresses(row).includes(address));
  if (!own) return;
  const detail = `This is the appliance’s own address on ${own.name}; a source must be another machine.`;
  throw invalid({ pointer: '/address', detail });
}
