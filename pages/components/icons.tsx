// The icons of the interface: one inline sprite a page, drawn on a 16 px grid with the text's colour.
import type { ComponentChildren, JSX } from 'preact';

const brand = (
  <>
    <path d="M12 20 5 5M12 20 19 5" />
    <path d="M4 20h16" />
    <path class="fill" d="m3.4 4.2 2.7-1.3 2.6 5.6-2.7 1.3zM20.6 4.2l-2.7-1.3-2.6 5.6 2.7 1.3z" />
  </>
);
const chocks = (
  <>
    <circle cx="8" cy="7" r="4.25" />
    <path d="M1 13.5h14" />
    <path class="fill" d="M.8 13.2V9.6l3.4 3.6zM15.2 13.2V9.6l-3.4 3.6z" />
  </>
);
const sun = (
  <>
    <circle cx="8" cy="8" r="2.75" />
    <path d="M8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1" />
  </>
);
const around = (path: string): JSX.Element => (
  <>
    <circle cx="8" cy="8" r="5.75" />
    <path d={path} />
  </>
);
const pair = (first: string, second: string): JSX.Element => (
  <>
    <path d={first} />
    <path d={second} />
  </>
);

const DRAWINGS = {
  brand,
  chocks,
  sun,
  menu: <path d="M2 4h12M2 8h12M2 12h12" />,
  pending: <rect x="2.5" y="2.5" width="11" height="11" stroke-dasharray="2.6 2" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.3 10.3 3.7 3.7" />
    </>
  ),
  system: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path class="fill" d="M8 2.2a5.8 5.8 0 0 1 0 11.6z" />
    </>
  ),
  moon: <path d="M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1z" />,
  user: (
    <>
      <circle cx="8" cy="5.2" r="2.7" />
      <path d="M2.8 14c.5-3 2.5-4.4 5.2-4.4s4.7 1.4 5.2 4.4" />
    </>
  ),
  down: <path d="m4 6 4 4 4-4" />,
  plus: <path d="M8 3v10M3 8h10" />,
  check: <path d="m3 8.5 3.2 3.2L13 4.8" />,
  solid: <rect class="fill" x="3" y="3" width="10" height="10" />,
  stop: pair('M5.3 1.8h5.4l3.5 3.5v5.4l-3.5 3.5H5.3l-3.5-3.5V5.3z', 'M8 4.6v4M8 11.2v.1'),
  warn: pair('M8 2 14.5 13.5h-13z', 'M8 6.5v3.3M8 11.7v.1'),
  revert: pair('M3 6.5h6.5a3.75 3.75 0 0 1 0 7.5H6', 'm5.8 3.5-3 3 3 3'),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" />
      <path d="M3.5 10.5h-1v-8h8v1" />
    </>
  ),
  lock: (
    <>
      <rect x="3" y="7" width="10" height="7" />
      <path d="M5.2 7V5a2.8 2.8 0 0 1 5.6 0v2" />
    </>
  ),
  burnt: (
    <>
      <path d="m3.2 3.2 9.6 9.6M12.8 3.2 3.2 12.8" />
      <rect x="1.8" y="1.8" width="12.4" height="12.4" />
    </>
  ),
  off: around('m4 12 8-8'),
  clock: around('M8 4.8V8l2.2 1.6'),
  info: around('M8 7.4v3.8M8 4.9v.1'),
  help: around('M6.2 6.4a1.8 1.8 0 1 1 2.7 1.6c-.6.3-.9.7-.9 1.3M8 11.2v.1'),
  skip: <path d="M3 4l5 4-5 4zM12 4v8" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  play: <path d="m5 3 8 5-8 5z" />,
} satisfies Record<string, ComponentChildren>;

export type IconName = keyof typeof DRAWINGS;
export const ICON_NAMES = Object.keys(DRAWINGS) as IconName[];

/** Every drawing once, before anything that refers to one. */
export function Sprite() {
  return (
    <svg width="0" height="0" class="vh" aria-hidden="true">
      <defs>
        {ICON_NAMES.map((name) => (
          <symbol key={name} id={`i-${name}`} viewBox={name === 'brand' ? '0 0 24 24' : '0 0 16 16'}>
            {DRAWINGS[name]}
          </symbol>
        ))}
      </defs>
    </svg>
  );
}

/** A drawing beside the word that names it; never alone, therefore hidden from assistive technology. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}
