// Where each box of the dependency map lies: a pure function from interfaces and services to boxes and wires in pixels.
import {
  bare,
  type MapVlan,
  type NetworkMapData,
  type Place,
  placesOf,
  type Standing,
  standingOf,
  type Use,
  usesOf,
} from './network-map-links.ts';

export interface Box {
  key: string;
  label: string;
  href: string | null;
  x: number;
  /** Middle of the box. */
  y: number;
  width: number;
  standing: Standing;
  code: boolean;
  /** Beside a service: how many addresses it uses, what follows on apply. */
  note: string | null;
}
export interface Wire {
  from: readonly [x: number, y: number];
  to: readonly [x: number, y: number];
  standing: Standing;
}
export interface MapLayout {
  width: number;
  height: number;
  heads: { label: string; x: number }[];
  boxes: Box[];
  wires: Wire[];
}

const TOP = 46;
const PITCH = 34;
const GAPS = [40, 40, 112] as const;
/** Advance of a 14 px glyph, monospace and proportional: widths are a little generous, nothing is measured here. */
const CODE_GLYPH = 8.5;
const WORD_GLYPH = 9;

/**
 * Moves wished positions apart to at least one pitch, in their order, with the least sum of squared shifts (pool adjacent
 * violators); NaN means "right after the one before".
 */
export function spread(wishes: readonly number[]): number[] {
  let last = TOP - PITCH;
  const filled = wishes.map((wish) => {
    last = Number.isNaN(wish) ? last + PITCH : wish;
    return last;
  });
  const pools: { sum: number; count: number }[] = [];
  filled.forEach((wish, index) => {
    let pool = { sum: wish - index * PITCH, count: 1 };
    for (
      let before = pools.at(-1);
      before && before.sum / before.count >= pool.sum / pool.count;
      before = pools.at(-1)
    ) {
      pool = { sum: pool.sum + before.sum, count: pool.count + before.count };
      pools.pop();
    }
    pools.push(pool);
  });
  return pools
    .flatMap(({ sum, count }) => Array<number>(count).fill(sum / count))
    .map((base, index) => Math.round(Math.max(TOP, base) + index * PITCH));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const widest = (labels: readonly string[], glyph: number, least: number): number =>
  Math.max(least, ...labels.map((label) => Math.ceil(label.length * glyph) + 20));

/** `172.16.30.2 → .31.2/24`: of a pending IPv4 address only the part that changes is repeated. */
export function pendingLabel(from: string, to: string): string {
  if (from === to) return to; // new: nothing is in force yet
  const before = bare(from).split('.');
  const after = to.split('.');
  if (before.length !== 4 || after.length !== 4) return `${bare(from)} → ${to}`;
  const same = Math.min(
    3,
    after.findIndex((part, index) => bare(part) !== before[index]) >>> 0, // not found, -1, becomes large
  );
  return `${bare(from)} → ${same === 0 ? '' : '.'}${after.slice(same).join('.')}`;
}

interface PlacedVlan {
  vlan: MapVlan;
  interfaceAt: number;
}

/** Where each box of the four columns stands: the middle of those that it is joined to. */
function rowsOf(
  interfaces: NetworkMapData['interfaces'],
  vlans: readonly PlacedVlan[],
  placed: readonly Place[],
  uses: readonly Use[],
) {
  const service = uses.map((_, index) => TOP + index * PITCH);
  const address = spread(
    placed.map((_, index) => mean(uses.flatMap(({ at }, use) => (at.includes(index) ? [service[use]!] : [])))),
  );
  const at = (test: (entry: Place) => boolean) => address.filter((_, index) => test(placed[index]!));
  const vlan = spread(vlans.map((_, index) => mean(at(({ vlanAt }) => vlanAt === index))));
  const ofInterface = spread(
    interfaces.map((_, index) => {
      const own = at((entry) => entry.vlanAt === null && entry.interfaceAt === index);
      return mean([...own, ...vlan.filter((_, each) => vlans[each]!.interfaceAt === index)]);
    }),
  );
  return { interface: ofInterface, vlan, address, service };
}

interface Column {
  x: number;
  width: number;
}
type Columns = Record<'interface' | 'vlan' | 'address' | 'service', Column>;

/** Each column is as wide as its longest label; that of VLANs is left out where there is none. */
function columnsOf(labels: Record<keyof Columns, readonly string[]>): Columns {
  const ofInterface = { x: 0, width: widest(labels.interface, CODE_GLYPH, 112) };
  const vlan = { x: ofInterface.width + GAPS[0], width: widest(labels.vlan, CODE_GLYPH, 112) };
  const address = {
    x: labels.vlan.length === 0 ? ofInterface.width + GAPS[2] : vlan.x + vlan.width + GAPS[1],
    width: widest(labels.address, CODE_GLYPH, 184),
  };
  const service = { x: address.x + address.width + GAPS[2], width: widest(labels.service, WORD_GLYPH, 184) };
  return { interface: ofInterface, vlan, address, service };
}

export function layoutNetworkMap({ interfaces, services }: NetworkMapData): MapLayout {
  const vlans = interfaces.flatMap((parent, interfaceAt) => parent.vlans.map((vlan) => ({ vlan, interfaceAt })));
  const placed = placesOf(interfaces);
  const uses = usesOf(services, placed);
  const y = rowsOf(interfaces, vlans, placed, uses);
  const addressLabels = placed.map(({ address: { cidr, pending } }) =>
    pending === undefined ? cidr : pendingLabel(cidr, pending),
  );
  const column = columnsOf({
    interface: interfaces.map(({ name }) => name),
    vlan: vlans.map(({ vlan }) => vlan.name),
    address: addressLabels,
    service: services.map(({ label }) => label),
  });

  const boxes: Box[] = [
    ...interfaces.map(({ name, href }, at) => plainBox(`if-${name}`, name, href, column.interface, y.interface[at]!)),
    ...vlans.map(({ vlan }, at) => plainBox(`vlan-${vlan.name}`, vlan.name, vlan.href, column.vlan, y.vlan[at]!)),
    ...placed.map(({ address, href }, at): Box => {
      const base = plainBox(`address-${at}`, addressLabels[at]!, href, column.address, y.address[at]!);
      return { ...base, standing: standingOf(address) };
    }),
    ...uses.map(({ service: { label, page }, standing, note }, at): Box => {
      const base = plainBox(`service-${page}-${label}`, label, page, column.service, y.service[at]!);
      return { ...base, code: false, standing, note };
    }),
  ];
  const between = (
    from: keyof Columns,
    fromAt: number,
    to: keyof Columns,
    toAt: number,
    standing?: Standing,
  ): Wire => ({
    from: [column[from].x + column[from].width, y[from][fromAt]!],
    to: [column[to].x, y[to][toAt]!],
    standing: standing ?? 'solid',
  });
  const wires: Wire[] = [
    ...vlans.map(({ interfaceAt }, at) => between('interface', interfaceAt, 'vlan', at)),
    ...placed.map(({ address, interfaceAt, vlanAt }, at) =>
      vlanAt === null
        ? between('interface', interfaceAt, 'address', at, standingOf(address))
        : between('vlan', vlanAt, 'address', at, standingOf(address)),
    ),
    ...uses.flatMap(({ at, wires: drawn }, use) =>
      at.map((address, index) => between('address', address, 'service', use, drawn[index]!)),
    ),
  ];
  const heads = [
    { label: 'Interface', x: 0 },
    ...(vlans.length === 0 ? [] : [{ label: 'VLAN', x: column.vlan.x }]),
    { label: 'Address', x: column.address.x },
    { label: 'Service', x: column.service.x },
  ];
  const height = Math.max(TOP, ...boxes.map((box) => box.y)) + 20;
  const notes = uses.flatMap(({ note }) => note ?? []);
  const width = column.service.x + column.service.width + widest(notes, WORD_GLYPH, 176);
  return { width, height, heads, boxes, wires: wires.toSorted(byStanding) };
}

function plainBox(key: string, label: string, href: string | undefined, { x, width }: Column, y: number): Box {
  return { key, label, href: href ?? null, x, y, width, standing: 'solid', code: true, note: null };
}

const DEPTH: Record<Standing, number> = { solid: 0, pending: 1, bad: 2 };
/** What needs a person is drawn over what does not. */
const byStanding = (one: Wire, two: Wire): number => DEPTH[one.standing] - DEPTH[two.standing];
