// Parses the CSV output of chronyc(1). Pure.

export const SOURCE_STATES = [
  'selected',
  'combined',
  'not_combined',
  'unusable',
  'falseticker',
  'too_variable',
  'not_selectable',
] as const;
export type SourceState = (typeof SOURCE_STATES)[number];

export interface SeenSource {
  /** As configured: address or name of a server; for machines of a pool the pool's name. */
  address: string;
  state: SourceState;
  stratum: number;
  /** Seconds between two questions. */
  poll_seconds: number;
  /** The last eight questions as an octal number, the newest in the lowest bit: 377 when all were answered. */
  reach: string;
  /** Seconds since the last answer; null when there was none. */
  last_answer_seconds: number | null;
  /** The source's clock minus ours at the last answer, in seconds; null when there was none. */
  offset_seconds: number | null;
  /** Error bound of the offset. */
  error_seconds: number | null;
}

/** The appliance's own clock by chronyd. */
export interface SeenClock {
  synchronised: boolean;
  /** Stratum that clients get; null while the clock follows nothing. */
  stratum: number | null;
  /** The source that it follows, or `local` for the appliance's own clock. */
  reference: string | null;
  /** Remaining correction of the clock, in seconds. */
  offset_seconds: number | null;
}

const MARKS: Readonly<Record<string, SourceState>> = {
  '*': 'selected',
  '+': 'combined',
  '-': 'not_combined',
  '?': 'unusable',
  x: 'falseticker',
  '~': 'too_variable',
};

/** chronyc prints the largest 32-bit number for "never". */
const NEVER = 4_294_967_295;

const rows = (csv: string): string[][] =>
  csv
    .split('\n')
    .map((line) => line.split(','))
    .filter((cells) => cells.length > 1);

/** `chronyc -c -N sources -a`. */
export function parseSources(csv: string): SeenSource[] {
  return rows(csv)
    .filter((cells) => cells.length === 10)
    .map(([_mode, mark = '', address = '', stratum, poll, reach = '0', last, offset, _measured, error]) => {
      const heard = Number(last) !== NEVER;
      return {
        address,
        state: MARKS[mark] ?? 'not_selectable',
        stratum: Number(stratum),
        poll_seconds: 2 ** Number(poll),
        reach,
        last_answer_seconds: heard ? Number(last) : null,
        // chronyc prints our clock minus the source's.
        offset_seconds: heard ? 0 - Number(offset) : null,
        error_seconds: heard ? Number(error) : null,
      };
    });
}

/** chronyd reserves more places for a pool than it has machines; of those that never answered only one is shown. */
export function withoutSpares(seen: readonly SeenSource[]): SeenSource[] {
  const answering = new Set(seen.filter(({ reach }) => reach !== '0').map(({ address }) => address));
  const shown = new Set<string>();
  return seen.filter(({ address, reach }) => {
    const spare = reach === '0' && (answering.has(address) || shown.has(address));
    shown.add(address);
    return !spare;
  });
}

/** Reference ids of the appliance's own clock: unsynchronised, and the loopback address of a local reference. */
const NO_REFERENCE = '00000000';
const LOCAL_REFERENCE = '7F7F0101';

/** `chronyc -c -N tracking`; null when it is something else. */
export function parseTracking(csv: string): SeenClock | null {
  const cells = rows(csv).find(({ length }) => length === 14);
  if (!cells) return null;
  const [id = '', name = '', stratum, , offset] = cells;
  const synchronised = cells[13] !== 'Not synchronised' && id !== NO_REFERENCE;
  if (!synchronised) return { synchronised, stratum: null, reference: null, offset_seconds: null };
  const local = id === LOCAL_REFERENCE;
  return {
    synchronised: !local,
    stratum: Number(stratum),
    reference: local ? 'local' : name || null,
    offset_seconds: local ? null : Math.abs(Number(offset)),
  };
}

/** What chronyd counted since it started. */
export interface ServerStats {
  ntp_packets: number;
  ntp_dropped: number;
  /** Key exchanges of NTS. */
  nts_connections: number;
  /** NTP requests authenticated by NTS. */
  nts_packets: number;
}

/** `chronyc -c serverstats`; null when it is something else. Later releases have more cells at the end. */
export function parseServerstats(csv: string): ServerStats | null {
  const cells = rows(csv)
    .find(({ length }) => length >= 8)
    ?.map(Number);
  if (!cells?.every(Number.isFinite)) return null;
  const [ntp_packets, ntp_dropped, , , , nts_connections, , nts_packets] = cells as [
    ...[number, number, number, number, number, number, number, number],
  ];
  return { ntp_packets, ntp_dropped, nts_connections, nts_packets };
}
