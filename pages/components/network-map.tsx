// The dependency map: interfaces → VLANs → addresses → services. Solid is in force, dashed is saved and not applied.

import { More } from './code.tsx';
import { type Box, layoutNetworkMap, type Wire } from './network-map-layout.ts';
import { type NetworkMapData, type Place, placesOf, type Standing, type Use, usesOf } from './network-map-links.ts';
import { PageLink } from './page-link.tsx';
import { Scroll } from './scroll.tsx';

const MEANINGS: readonly (readonly [Standing, string])[] = [
  ['solid', 'in force'],
  ['pending', 'saved, not applied'],
  ['bad', 'cannot be reached'],
];
const suffix = (standing: Standing): string => (standing === 'solid' ? '' : standing);
const look = (base: 'wire' | 'node', standing: Standing): string =>
  standing === 'solid' ? base : `${base} ${base}-${suffix(standing)}`;

export function NetworkMap({ data, title = 'What depends on each address' }: { data: NetworkMapData; title?: string }) {
  const { width, height, heads, boxes, wires } = layoutNetworkMap(data);
  const used = MEANINGS.filter(([standing]) => standing === 'solid' || boxes.some((box) => box.standing === standing));
  return (
    <figure class="fig">
      <figcaption>
        <h2 id="map-title">{title}</h2>
        <ul class="key">
          {used.map(([standing, meaning]) => (
            <li key={standing}>
              <svg width="24" height="14" aria-hidden="true">
                <path class={look('wire', standing)} d="M0 7h24" />
              </svg>
              {meaning}
            </li>
          ))}
        </ul>
      </figcaption>
      <Scroll class="canvas" label="Dependency map">
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing with links in it, not a set of form fields */}
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-labelledby="map-title">
          {heads.map(({ label, x }) => (
            <text key={label} class="dim" x={x} y="14">
              {label}
            </text>
          ))}
          <path class="rule" d={`M0 22.5H${width}`} />
          {wires.map((wire) => (
            <path key={`${wire.from} ${wire.to}`} class={look('wire', wire.standing)} d={curve(wire)} />
          ))}
          {boxes.map((box) => (
            <MapBox key={box.key} box={box} />
          ))}
        </svg>
      </Scroll>
      <More summary="Read the map as a list">
        <MapList data={data} />
      </More>
    </figure>
  );
}

function curve({ from: [x, y], to: [toX, toY] }: Wire): string {
  const middle = (x + toX) / 2;
  return `M${x} ${y}C${middle} ${y} ${middle} ${toY} ${toX} ${toY}`;
}

const NOTES: Record<Standing, string> = { solid: 'dim', pending: 'blue', bad: 'red' };

/** The note stands outside of the link, whose name is then its visible words; the list below says it all in text. */
function MapBox({ box }: { box: Box }) {
  const { label, href, x, y, width, standing, code, note } = box;
  const inside = (
    <>
      <rect class={look('node', standing)} x={x + 0.5} y={y - 13.5} width={width - 1} height="27" rx="2" />
      <text class={code ? 'm' : undefined} x={x + 10} y={y + 5}>
        {label}
      </text>
    </>
  );
  return (
    <g>
      {href === null ? inside : <PageLink href={href}>{inside}</PageLink>}
      {note !== null && (
        <text class={NOTES[standing]} x={x + width + 16} y={y + 5}>
          {note}
        </text>
      )}
    </g>
  );
}

/** The same as the drawing, in words: who uses each address, and whoever uses none. */
function MapList({ data: { interfaces, services } }: { data: NetworkMapData }) {
  const places = placesOf(interfaces);
  const uses = usesOf(services, places);
  const loose = uses.filter(({ at }) => at.length === 0);
  return (
    <ul class="says">
      {places.map((place, index) => (
        <li key={`${place.name} ${place.address.cidr}`}>
          <PlaceWords place={place} />: <Users uses={uses.filter(({ at }) => at.includes(index))} />
        </li>
      ))}
      {loose.map((use) => (
        <li key={use.service.label}>
          <Users uses={[use]} />
        </li>
      ))}
    </ul>
  );
}

function PlaceWords({ place: { name, address } }: { place: Place }) {
  const { cidr, pending, problem } = address;
  return (
    <>
      <code>{name}</code>, <code>{cidr}</code>
      {pending !== undefined && (
        <>
          {pending !== cidr && (
            <>
              {' → '}
              <code>{pending}</code>
            </>
          )}
          , not applied
        </>
      )}
      {problem !== undefined && `, ${problem}`}
    </>
  );
}

function Users({ uses }: { uses: readonly Use[] }) {
  if (uses.length === 0) return <>nothing depends on it</>;
  return (
    <>
      {uses.map(({ service: { label, page }, note }, index) => (
        <span key={page + label}>
          {index > 0 && ', '}
          <PageLink href={page}>{label}</PageLink>
          {note !== null && ` (${note})`}
        </span>
      ))}
    </>
  );
}
