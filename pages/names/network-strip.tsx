// The address strip of a network in the dialog: what was read of it, from the first address on.
import { addressOf, type Cidr, networkOf, parseAddress } from '../../shared/ground/addresses/address.ts';
import { BLOCK, blockOf, RESERVED, USED } from '../../shared/vcf/names/allocation.ts';
import type { Previewed } from '../../shared/vcf/names/generate.ts';
import { type Numbered, typeOf } from '../../shared/vcf/names/plan.ts';
import { AddressStrip } from '../components/address-strip.tsx';
import type { StripData } from '../components/address-strip-layout.ts';

/** As wide as the dialog leaves it. */
const WIDTH = 972;
/** Blocks of 256 addresses that are drawn at most. */
const BLOCKS_MOST = 4;

export function NetworkStrip({ numbered, previewed, at }: { numbered: Numbered; previewed: Previewed; at: number }) {
  const { start } = numbered;
  const title = <code>{networkOf(start)}</code>;
  const data = stripData(numbered, previewed, at);
  return <AddressStrip data={data} title={title} width={WIDTH} focus={data.focus} />;
}

/** Blocks are drawn from that of the first address given; of a small network, all of it. */
function stripData(
  { start, seen }: Numbered,
  { preview, facts }: Previewed,
  at: number,
): StripData & { focus: string } {
  const network = preview.networks[at]!;
  const own = preview.rows.flatMap(({ state, addresses }) =>
    addresses.filter(({ type }) => type === typeOf(start)).map(({ address }) => ({ state, address })),
  );
  const planned = own.filter(({ state }) => state === 'planned').map(({ address }) => address);
  const base = blockOf(start.address.value);
  const first = Number((blockOf(parseAddress(planned[0] ?? start.address.text)!.value) - base) / BLOCK);
  const last = Number((blockOf(parseAddress(planned.at(-1) ?? start.address.text)!.value) - base) / BLOCK);
  const count = Math.min(last - first + 1, BLOCKS_MOST, seen.blocks.length - first);
  const texts = (kind: number): string[] =>
    seen.blocks.slice(first, first + count).flatMap((block, index) => {
      const from = base + BigInt(first + index) * BLOCK;
      return [...block].flatMap((each, offset) =>
        each === kind ? (addressOf(start.family, from + BigInt(offset))?.text ?? []) : [],
      );
    });
  const gateway = facts.subnets.find((subnet) => inside(start, subnet.gateway))?.gateway;
  return {
    network: network.network,
    pools: facts.subnets.flatMap(({ ranges }) => ranges),
    used: texts(USED),
    reserved: texts(RESERVED),
    gateway: gateway ?? facts.interfaces.map(gatewayOf(start)).find((text) => inside(start, text)) ?? '',
    planned,
    next: network.next_free,
    ...(start.last - start.first >= BLOCK && { part: partOf(start, base + BigInt(first) * BLOCK, count) }),
    // Where nothing can be planned, one looks at where it was to begin.
    focus: network.shortfall > 0 ? network.start : '',
  };
}

const gatewayOf =
  ({ family }: Cidr) =>
  ({ ipv4_gateway, ipv6_gateway }: { ipv4_gateway: string; ipv6_gateway: string }): string =>
    family === 4 ? ipv4_gateway : ipv6_gateway;

function inside({ family, first, last }: Cidr, text: string): boolean {
  const address = parseAddress(text);
  return address?.family === family && address.value >= first && address.value <= last;
}

function partOf({ family, last }: Cidr, from: bigint, count: number): { first: string; last: string } {
  const end = from + BigInt(count) * BLOCK - 1n;
  return { first: addressOf(family, from)!.text, last: addressOf(family, end < last ? end : last)!.text };
}
