// Geometry of the countdown ring, on the server and, kept fresh, in the browser.

export const RADIUS = 31;
const AROUND = 2 * Math.PI * RADIUS;

/** Dash and gap of the arc that stands for `part` of the whole, 0 to 1. */
export function arcOf(part: number): string {
  const drawn = AROUND * Math.min(1, Math.max(0, part));
  return `${Math.round(drawn * 10) / 10} ${Math.round(AROUND * 10) / 10}`;
}
