// Generating a deployment's names and deleting them again: the saved state is read, the pure plan decides, and records
// are written in the caller's transaction, all or none.
import { parseAddress, reverseName } from '../../ground/addresses/address.ts';
import type { Clock, Entropy } from '../../ground/clock.ts';
import { type FieldError, invalid, Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { deleteRecords } from '../../services/dns-dhcp/dns/owned-records.ts';
import { createRecords } from '../../services/dns-dhcp/dns/record-store.ts';
import { helperOwner } from '../../services/dns-dhcp/owned-component.ts';
import { type Facts, loadAround, loadFacts } from './facts.ts';
import { allocateFrom } from './load-blocks.ts';
import { isAddress, ownershipOf } from './ownership.ts';
import { addressesOf, missingNames, type Numbered, previewOf, typeOf } from './plan.ts';
import { type GenerateInput, type GenerateRequest, readRequest, type WantedName } from './request.ts';
import type { FqdnRow, Preview, PreviewRow, Result } from './schemas.ts';

export interface Previewed {
  request: GenerateRequest;
  facts: Facts;
  numbered: readonly Numbered[];
  preview: Preview;
}

/** The request from typed values. @throws Problem 422 with every fault at its member. */
export function requireRequest(input: GenerateInput, start: 'needed' | 'optional'): GenerateRequest {
  const { request, errors } = readRequest(input, { start });
  if (!request) throw invalid(...errors);
  return request;
}

/** Fault of a domain that is no managed zone, or null. */
export function domainFault({ zone }: Facts): FieldError | null {
  return zone ? null : { pointer: '/domain', detail: 'This is no managed zone. Choose one, or add the zone first.' };
}

/**
 * What creating would do now. One statement for each table, and one or more for each network. It reads records and
 * reservations of these names and addresses only.
 * @throws Problem 422 at `/domain` when it is no managed zone.
 */
export async function preview(db: Database, request: GenerateRequest): Promise<Previewed> {
  const facts = await loadFacts(
    db,
    request.domain,
    request.names.map(({ fqdn }) => fqdn),
  );
  const fault = domainFault(facts);
  if (fault) throw invalid(fault);
  const wanted = missingNames(request, facts).length;
  const numbered: Numbered[] = [];
  for (const start of request.starts) numbered.push({ start, ...(await allocateFrom(db, start, wanted)) });
  const addresses = addressesOf(numbered, facts);
  const reverses = addresses.flatMap((text) => {
    const address = parseAddress(text);
    return address ? [reverseName(address)] : [];
  });
  const around = await loadAround(db, addresses, reverses);
  return { request, facts, numbered, preview: previewOf(request, facts, numbered, around) };
}

/**
 * Creates the missing names with the addresses that the preview of this moment shows.
 * @throws Problem 422; 409 `addresses_exhausted` with the shortfall at each first address; 409 `preview_stale`, with
 * the fresh preview, when `digest` names another one.
 */
export async function generate(
  tx: Transaction,
  shell: { clock: Clock; entropy: Entropy },
  request: GenerateRequest,
  digest: string | undefined,
): Promise<{ result: Result; preview: Preview }> {
  const { preview: now, numbered } = await preview(tx, request);
  refuseShortfall(now, numbered);
  if (digest !== undefined && digest !== now.digest) {
    throw new Problem('preview_stale', now.to_create === 0 ? ALREADY : CHANGED, { preview: now });
  }
  const planned = now.rows.filter(({ state }) => state === 'planned');
  const drafts = planned.flatMap(({ fqdn, label, component, addresses }) =>
    addresses.map(({ type, address }) => ({
      fqdn,
      type,
      value: address,
      description: label,
      owner: helperOwner(request.catalog.id, component),
    })),
  );
  if (drafts.length > 0) await createRecords(tx, shell, drafts);
  const skipped = now.rows.filter(({ state }) => state !== 'planned');
  return { result: { ...NOBODY, created: planned.map(plain), skipped: skipped.map(plain) }, preview: now };
}

const CHANGED =
  'Records or reservations changed after the preview: these names would now get other addresses than you confirmed. Nothing was created.';
/** A request that was sent twice, or names that somebody else has just created, must not look like a stale preview. */
const ALREADY =
  'Records changed after the preview: each of these names has one by now, created by somebody else or by you a moment ago. There is nothing left to create.';

const NOBODY: Result = { created: [], skipped: [], deleted: [], preserved: [], errors: [] };

const plain = ({ component, label, fqdn, addresses, reason }: PreviewRow): FqdnRow => ({
  component,
  label,
  fqdn,
  addresses: addresses.map(({ type, address }) => ({ type, address })),
  reason,
});

function refuseShortfall({ networks }: Preview, numbered: readonly Numbered[]): void {
  const errors = networks.flatMap((network, at): FieldError[] => {
    if (network.shortfall === 0) return [];
    const { start } = numbered[at]!;
    return [{ pointer: `/start_${network.family}_cidr`, detail: shortfallWords(network, typeOf(start)) }];
  });
  if (errors.length === 0) return;
  const detail = `${errors.map((error) => error.detail).join(' ')} Nothing was created.`;
  throw new Problem('addresses_exhausted', detail, { errors });
}

/** `10.10.20.0/28 has 9 free addresses from 10.10.20.5 on, and 17 names need one: 8 are lacking.` */
export function shortfallWords(
  { network, start, wanted, free, shortfall }: Preview['networks'][number],
  type: string,
): string {
  const free_words = free === 1 ? '1 free address' : `${free} free addresses`;
  const wanted_words = wanted === 1 ? '1 name needs one' : `${wanted} names need one`;
  return `${network} has ${free_words} from ${start} on, and ${wanted_words} (${type}): ${shortfall} ${shortfall === 1 ? 'is' : 'are'} lacking.`;
}

/**
 * Deletes the generated records of the names, of both families, and nothing else. A domain that is no managed zone any
 * more has none.
 */
export async function deleteGenerated(tx: Transaction, request: GenerateRequest): Promise<Result> {
  const facts = await loadFacts(
    tx,
    request.domain,
    request.names.map(({ fqdn }) => fqdn),
  );
  const fault = domainFault(facts);
  if (fault) throw invalid(fault);
  const { deleted, preserved, ids } = partition(request.names, facts);
  if (ids.length > 0) await deleteRecords(tx, ids);
  return { ...NOBODY, deleted, preserved };
}

/** What a deletion removes and what it preserves, a row for each name that has either. Pure. */
export function partition(
  names: readonly WantedName[],
  { records }: Pick<Facts, 'records'>,
): { deleted: FqdnRow[]; preserved: FqdnRow[]; ids: string[] } {
  const owned = names.map((name) => ({
    name,
    records: records
      .filter(({ fqdn }) => fqdn === name.fqdn)
      .map((record) => ({ ...record, ...ownershipOf(record, name) })),
  }));
  const rows = (generated: boolean): FqdnRow[] =>
    owned.flatMap(({ name: { host, label, fqdn }, records: all }) => {
      const own = all.filter((record) => record.generated === generated);
      if (own.length === 0) return [];
      const addresses = own
        .filter(isAddress)
        .map(({ type, value }) => ({ type: type as 'A' | 'AAAA', address: value }));
      const reason = generated ? '' : [...new Set(own.map(({ words }) => words))].join('; ');
      return [{ component: host, label, fqdn, addresses, reason }];
    });
  const ids = owned.flatMap(({ records: all }) => all.filter(({ generated }) => generated).map(({ id }) => id));
  return { deleted: rows(true), preserved: rows(false), ids };
}
