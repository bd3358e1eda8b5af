// Where each box of the dependency map lies: a pure function from interfaces and services to boxes and wires in pixels.
import {
  bare,
  type NetworkMapData,
  type Place,
  placesOf,
  type Standing,
  standingOf,
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

export function layoutNetworkMap({ interfaces, services }: NetworkMapData): MapLayout {
  const vlans = interfaces.flatMap((parent, interfaceAt) => parent.vlans.map((vlan) => ({ vlan, interfaceAt })));
  const placed = placesOf(interfaces);
  const ordered = usesOf(services, placed);

  const serviceY = ordered.map((_, index) => TOP + index * PITCH);
  const addressY = spread(
    placed.map((_, index) =>
      mean(ordered.flatMap(({ at }, service) => (at.includes(index) ? [serviceY[service]!] : []))),
    ),
  );
  const at = (test: (entry: Place) => boolean) => addressY.filter((_, index) => test(placed[index]!));
  const vlanY = spread(vlans.map((_, index) => mean(at(({ vlanAt }) => vlanAt === index))));
  const interfaceY = spread(
    interfaces.map((_, index) => {
      const own = at((entry) => entry.vlanAt === null && entry.interfaceAt === index);
      return mean([...own, ...vlanY.filter((_, vlan) => vlans[vlan]!.interfaceAt === index)]);
    }),
  );

  const addressLabels = placed.map(({ address: { cidr, pending } }) =>
    pending === undefined ? cidr : pendingLabel(cidr, pending),
  );
  const interfaceWidth = widest(
    interfaces.map(({ name }) => name),
    CODE_GLYPH,
    112,
  );
  const vlanWidth = widest(
    vlans.map(({ vlan }) => vlan.name),
    CODE_GLYPH,
    112,
  );
  const addressWidth = widest(addressLabels, CODE_GLYPH, 184);
  const serviceWidth = widest(
    services.map(({ label }) => label),
    WORD_GLYPH,
    184,
  );
  const vlanX = interfaceWidth + GAPS[0];
  const addressX = vlans.length === 0 ? interfaceWidth + GAPS[2] : vlanX + vlanWidth + GAPS[1];
  const serviceX = addressX + addressWidth + GAPS[2];

  const boxes: Box[] = [
    ...interfaces.map(({ name, href }, index) =>
      plainBox(`if-${name}`, name, href, 0, interfaceY[index]!, interfaceWidth),
    ),
    ...vlans.map(({ vlan }, index) =>
      plainBox(`vlan-${vlan.name}`, vlan.name, vlan.href, vlanX, vlanY[index]!, vlanWidth),
    ),
    ...placed.map(({ address, href }, index): Box => {
      const base = plainBox(`address-${index}`, addressLabels[index]!, href, addressX, addressY[index]!, addressWidth);
      return { ...base, standing: standingOf(address) };
    }),
    ...ordered.map(({ service: { label, page }, standing, note }, index): Box => {
      const base = plainBox(`service-${page}-${label}`, label, page, serviceX, serviceY[index]!, serviceWidth);
      return { ...base, code: false, standing, note };
    }),
  ];

  const wires: Wire[] = [
    ...vlans.map(({ interfaceAt }, index) => wire(interfaceWidth, interfaceY[interfaceAt]!, vlanX, vlanY[index]!)),
    ...placed.map(({ address, interfaceAt, vlanAt }, index) =>
      vlanAt === null
        ? wire(interfaceWidth, interfaceY[interfaceAt]!, addressX, addressY[index]!, standingOf(address))
        : wire(vlanX + vlanWidth, vlanY[vlanAt]!, addressX, addressY[index]!, standingOf(address)),
    ),
    ...ordered.flatMap(({ at, wires: drawn }, service) =>
      at.map((address, index) =>
        wire(addressX + addressWidth, addressY[address]!, serviceX, serviceY[service]!, drawn[index]!),
      ),
    ),
  ];
  const heads = [
    { label: 'Interface', x: 0 },
    ...(vlans.length === 0 ? [] : [{ label: 'VLAN', x: vlanX }]),
    { label: 'Address', x: addressX },
    { label: 'Service', x: serviceX },
  ];
  const height = Math.max(TOP, ...boxes.map(({ y }) => y)) + 20;
  const notes = ordered.flatMap(({ note }) => note ?? []);
  const width = serviceX + serviceWidth + widest(notes, WORD_GLYPH, 176);
  return { width, height, heads, boxes, wires: wires.toSorted(byStanding) };
}

function plainBox(key: string, label: string, href: string | undefined, x: number, y: number, width: number): Box {
  return { key, label, href: href ?? null, x, y, width, standing: 'solid', code: true, note: null };
}

function wire(fromX: number, fromY: number, toX: number, toY: number, standing: Standing = 'solid'): Wire {
  return { from: [fromX, fromY], to: [toX, toY], standing };
}

const DEPTH: Record<Standing, number> = { solid: 0, pending: 1, bad: 2 };
/** What needs a person is drawn over what does not. */
const byStanding = (one: Wire, two: Wire): number => DEPTH[one.standing] - DEPTH[two.standing];
