// Ports as an operator writes them: `22, 8000-8100`.

export interface PortRange {
  first: number;
  last: number;
}

const PART = /^(\d{1,5})(?:-(\d{1,5}))?$/;
export const PORTS_MOST = 32;

/** Sorted, with overlapping and adjacent ranges merged; none for an empty text. Null when it is not a list of ports. */
export function parsePorts(text: string): PortRange[] | null {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  const ranges = parts.map((part): PortRange | null => {
    const [, first, last = first] = PART.exec(part) ?? [];
    const range = { first: Number(first), last: Number(last) };
    return range.first >= 1 && range.last <= 65_535 && range.first <= range.last ? range : null;
  });
  if (ranges.includes(null)) return null;
  const merged: PortRange[] = [];
  for (const range of (ranges as PortRange[]).sort((one, other) => one.first - other.first)) {
    const before = merged.at(-1);
    if (before && range.first <= before.last + 1) before.last = Math.max(before.last, range.last);
    else merged.push({ ...range });
  }
  return merged;
}

export const rangeText = ({ first, last }: PortRange): string => (first === last ? `${first}` : `${first}-${last}`);

/** `22,8000-8100` */
export const portsText = (ranges: readonly PortRange[]): string => ranges.map(rangeText).join(',');
