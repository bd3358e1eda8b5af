// The address strip of a subnet: used, reserved, pool, gateway and next free, drawn to scale. `AddressLine` fits into a
// table; `AddressStrip` is the figure, with the addresses around the next free one enlarged, and the same as a list.
import type { ComponentChildren } from 'preact';
import {
  type Cells,
  cellsOf,
  countOf,
  type Strip,
  type StripData,
  shortOf,
  stripInWords,
  stripOf,
  tailOf,
  textOf,
  valueIn,
} from './address-strip-layout.ts';
import { More } from './code.tsx';
import { Scroll } from './scroll.tsx';

const LINE = { width: 256, height: 16, top: 1 } as const;
const FULL = { width: 1144, top: 20, height: 20 } as const;
/** Enlarged addresses: as many as their texts leave room for. */
const ENLARGED = { 4: 32n, 6: 24n } as const;
const WIDE_ENOUGH = 1100;

interface Frame {
  width: number;
  /** Of the track. */
  top: number;
  height: number;
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Diagonals within a box: a pool is hatched, because nobody knows yet who gets which of its addresses. */
function hatch(from: number, to: number, top: number, height: number, step: number): string {
  const lines: string[] = [];
  for (let x = from - height + step; x < to; x += step) {
    const [left, right] = [Math.max(x, from), Math.min(x + height, to)];
    lines.push(
      `M${round(left)} ${round(top + height - (left - x))}L${round(right)} ${round(top + height - (right - x))}`,
    );
  }
  return lines.join('');
}

function Track({ strip, cells, frame, step }: { strip: Strip; cells: Cells; frame: Frame; step: number }) {
  const { width, top, height } = frame;
  const each = width / cells.columns;
  const gap = each > 3 ? 0.5 : 0;
  const marks = (values: readonly bigint[], look: string, inset: number) =>
    cells
      .runs(values)
      .map(({ from, to }) => (
        <rect
          key={`${look}${from}`}
          class={look}
          x={round(from * each)}
          y={top + inset}
          width={round(Math.max(1, (to - from) * each - gap))}
          height={height - inset}
        />
      ));
  return (
    <>
      <rect class="c-track" x=".5" y={top + 0.5} width={width - 1} height={height - 1} />
      {strip.pools.map(({ first, last }) => {
        const [from, to] = [cells.at(first) * each, (cells.at(last) + 1) * each];
        return (
          <g key={String(first)}>
            <path class="c-pool" d={hatch(from, to, top, height, step)} />
            <path class="c-pool" d={`M${round(from)} ${top}v${height}M${round(to)} ${top}v${height}`} />
          </g>
        );
      })}
      {marks(strip.reserved, 'c-res', height / 2)}
      {marks(strip.used, 'c-used', 0)}
      {marks(strip.planned, 'c-plan-thin', 0)}
    </>
  );
}

/** A strip as wide as a table's cell, with its facts below it. */
export function AddressLine({ data, children }: { data: StripData; children?: ComponentChildren }) {
  const strip = stripOf(data);
  if (!strip) return null;
  const cells = cellsOf(strip);
  const { gateway, next } = strip;
  const middle = (value: bigint): number => round(((cells.at(value) + 0.5) * LINE.width) / cells.columns);
  return (
    <div class="strip-line">
      <svg
        width={LINE.width}
        height={LINE.height + 8}
        viewBox={`0 0 ${LINE.width} ${LINE.height + 8}`}
        role="img"
        aria-label={stripInWords(strip)}
      >
        <Track strip={strip} cells={cells} frame={{ ...LINE, top: 7 }} step={5} />
        {gateway !== null && <path class="c-gate" d={`M${middle(gateway) - 4} 0h8l-4 6z`} />}
        {next !== null && <path class="c-next" d={`M${middle(next)} 4v${LINE.height + 4}`} />}
      </svg>
      <span class="muted">
        {next === null ? (
          'none free outside of the pool'
        ) : (
          <>
            next free <code>{shortOf(strip, next)}</code>
          </>
        )}
        {children}
      </span>
    </div>
  );
}

interface Label {
  key: string;
  text: string;
  x: number;
}

/** Labels above the track; one that would run into its left neighbour is left to the key. */
function labelsOf(strip: Strip, cells: Cells, full: number): (Label & { anchor: 'start' | 'end' })[] {
  const each = full / cells.columns;
  const short = (value: bigint): string => shortOf(strip, value);
  const wanted: Label[] = strip.pools.map(({ first, last }) => ({
    key: `pool${first}`,
    text: first === last ? `pool ${short(first)}` : `pool ${short(first)}–${short(last)}`,
    x: cells.at(first) * each + 4,
  }));
  if (strip.gateway !== null) {
    wanted.push({
      key: 'gateway',
      text: `gateway ${short(strip.gateway)}`,
      x: (cells.at(strip.gateway) + 0.5) * each + 9,
    });
  }
  let free = 0;
  return wanted
    .sort((one, other) => one.x - other.x)
    .flatMap((label) => {
      const wide = label.text.length * 7.5;
      const anchor = label.x + wide > full ? ('end' as const) : ('start' as const);
      const x = anchor === 'end' ? label.x - (label.key === 'gateway' ? 18 : 8) : label.x;
      if ((anchor === 'end' ? x - wide : x) < free) return [];
      free = (anchor === 'end' ? x : x + wide) + 16;
      return [{ ...label, x: round(x), anchor }];
    });
}

interface EnlargedProps {
  strip: Strip;
  cells: Cells;
  focus: bigint | null;
  width: number;
}

/** The addresses around the next free one, or from the first planned one on, each in a cell of its own. */
function Enlarged({ strip, cells, focus, width: full }: EnlargedProps) {
  const { cidr, shown, used, reserved, planned, pools, gateway, next } = strip;
  const centre = focus ?? planned[0] ?? next ?? shown.first;
  const size = shown.last - shown.first + 1n;
  const most = full < WIDE_ENOUGH ? ENLARGED[cidr.family] : ENLARGED[4];
  const count = size < most ? size : most;
  const before = planned.length === 0 && count > 16n && centre - shown.first >= 16n ? 16n : 0n;
  const aligned = shown.first + ((centre - shown.first) / 16n) * 16n - before;
  const first = aligned + count - 1n > shown.last ? shown.last - count + 1n : aligned;
  const each = full / Number(count);
  const scale = full / cells.columns;
  const values = Array.from({ length: Number(count) }, (_, index) => first + BigInt(index));
  return (
    <>
      {size > count && (
        <path
          class="rule"
          d={`M${round(cells.at(first) * scale)} 40L0 68M${round((cells.at(first + count - 1n) + 1) * scale)} 40L${full} 68`}
        />
      )}
      {values.map((value, index) => {
        const taken = used.includes(value);
        const foreseen = planned.includes(value);
        const kept = reserved.includes(value);
        const pooled = pools.some((pool) => value >= pool.first && value <= pool.last);
        const [x, width] = [round(index * each + 1), round(each - 2)];
        const middle = round((index + 0.5) * each);
        return (
          <g key={String(value)}>
            <rect class={taken ? 'c-used' : foreseen ? 'c-plan' : 'c-track'} x={x} y="68.5" width={width} height="27" />
            {kept && <rect class="c-res" x={x} y="91" width={width} height="5" />}
            {pooled && !taken && <path class="c-pool" d={hatch(x, x + width, 90, 5.5, 5)} />}
            {value === gateway && <path class="c-gate" d={`M${middle - 4} 62h8l-4 6z`} />}
            <text class={taken ? 'm on-ink' : foreseen ? 'm' : 'm dim'} x={middle} y="87" text-anchor="middle">
              {tailOf(cidr.family, value)}
            </text>
            {value === focus && <rect class="c-focus" x={x} y="68.5" width={width} height="27" />}
            {value === next && (
              <>
                <path class="c-next" d={`M${middle} 98v8`} />
                <text class="blue" x={clamp(middle, full)} y="120" text-anchor="middle">
                  next free
                </text>
              </>
            )}
          </g>
        );
      })}
    </>
  );
}

const clamp = (x: number, full: number): number => Math.min(full - 32, Math.max(32, x));

function Key({ strip }: { strip: Strip }) {
  const { used, reserved, planned, pooled, gateway, next } = strip;
  return (
    <ul class="key">
      <li>
        <svg width="14" height="14" aria-hidden="true">
          <rect class="c-used" x="5" width="4" height="14" />
        </svg>
        used <b>{used.length}</b>
      </li>
      <li>
        <svg width="14" height="14" aria-hidden="true">
          <rect class="c-res" x="5" y="7" width="4" height="7" />
        </svg>
        reserved <b>{reserved.length}</b>
      </li>
      <li>
        <svg width="14" height="14" aria-hidden="true">
          <path class="c-pool" d="M0 14 14 0M0 7 7 0M7 14l7-7" />
        </svg>
        pool <b>{countOf(pooled)}</b>
      </li>
      {planned.length > 0 && (
        <li>
          <svg width="14" height="14" aria-hidden="true">
            <rect class="c-plan" x="1" y="1" width="12" height="12" />
          </svg>
          planned <b>{planned.length}</b>
        </li>
      )}
      {gateway !== null && (
        <li>
          <svg width="14" height="14" aria-hidden="true">
            <path class="c-gate" d="M2 4h10l-5 8z" />
          </svg>
          gateway <b>{shortOf(strip, gateway)}</b>
        </li>
      )}
      <li>
        <svg width="14" height="14" aria-hidden="true">
          <path class="c-next" d="M7 2v11" />
        </svg>
        next free <b>{next === null ? 'none' : shortOf(strip, next)}</b>
      </li>
    </ul>
  );
}

export interface AddressStripProps {
  data: StripData;
  title?: ComponentChildren;
  /** What each address is, where that is known: `10.10.20.21` → `esx01`. */
  names?: ReadonlyMap<string, string>;
  /** The address that the page is about: it is enlarged in place of the next free one. */
  focus?: string;
  /** Pixels: the room that it has; 1144 by default. */
  width?: number;
}

/** The figure; nothing at all when the network is not one. */
export function AddressStrip({ data, title, names, focus = '', width = FULL.width }: AddressStripProps) {
  const strip = stripOf(data);
  if (!strip) return null;
  const cells = cellsOf(strip);
  const { cidr, shown } = strip;
  const part = shown.last - shown.first < cidr.last - cidr.first;
  const scale = width / cells.columns;
  return (
    <figure class="fig">
      <figcaption>
        <h2>{title ?? <code>{cidr.text}</code>}</h2>
        <Key strip={strip} />
        {part && (
          <p class="muted">
            Drawn: <code>{textOf(cidr.family, shown.first)}</code> to <code>{textOf(cidr.family, shown.last)}</code>
          </p>
        )}
      </figcaption>
      <Scroll class="canvas" label={`Addresses of ${cidr.text}`}>
        <svg width={width} height="126" viewBox={`0 0 ${width} 126`} role="img" aria-label={stripInWords(strip)}>
          <Track strip={strip} cells={cells} frame={{ ...FULL, width }} step={7} />
          {labelsOf(strip, cells, width).map(({ key, text, x, anchor }) => (
            <text key={key} class="dim" x={x} y="14" text-anchor={anchor}>
              {text}
            </text>
          ))}
          {strip.gateway !== null && (
            <path class="c-gate" d={`M${round((cells.at(strip.gateway) + 0.5) * scale - 4.5)} 13h9l-4.5 7z`} />
          )}
          <Enlarged strip={strip} cells={cells} focus={valueIn(strip, focus)} width={width} />
        </svg>
      </Scroll>
      <More summary="Read the strip as a list">
        <StripList strip={strip} names={names} />
      </More>
    </figure>
  );
}

const MOST_LISTED = 200;

function StripList({ strip, names }: { strip: Strip; names: ReadonlyMap<string, string> | undefined }) {
  const { cidr, pools, planned, gateway, next } = strip;
  const text = (value: bigint): string => textOf(cidr.family, value);
  const named = (value: bigint): string => {
    const name = names?.get(text(value));
    return name === undefined ? text(value) : `${text(value)} ${name}`;
  };
  const listed = (values: readonly bigint[]): string => {
    if (values.length === 0) return 'none';
    const more = values.length - MOST_LISTED;
    return values.slice(0, MOST_LISTED).map(named).join(', ') + (more > 0 ? ` and ${more} more` : '');
  };
  return (
    <ul class="says">
      <li>Gateway: {gateway === null ? 'none' : text(gateway)}</li>
      <li>Pool: {pools.map(({ first, last }) => `${text(first)} to ${text(last)}`).join(', ') || 'none'}</li>
      <li>Used: {listed(strip.used)}</li>
      <li>Reserved: {listed(strip.reserved)}</li>
      {planned.length > 0 && <li>Planned: {listed(planned)}</li>}
      <li>Next free: {next === null ? 'none outside of the pool' : text(next)}</li>
    </ul>
  );
}
