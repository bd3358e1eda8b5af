// The few numbers that say how the appliance does, each with the way to where it is dealt with. What is not known is left out.
import { byLabel, type Condition, type Facts, purposeWords } from '../../shared/appliance/health/conditions.ts';
import type { Health } from '../../shared/appliance/health/health.ts';
import type { History, SeriesKey } from '../../shared/appliance/metrics/history.ts';
import { pageRoute as href } from '../../shared/ground/page-paths.ts';
import { byteWords } from '../components/byte-words.ts';
import { isCurrent } from '../components/chart-layout.ts';
import { PageLink } from '../components/page-link.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { exact, relative } from '../components/time-words.ts';

export interface Figure {
  label: string;
  value: string;
  /** What the value is of, or how it is meant. */
  note: string;
  href: string;
  /** Where somebody should look at it. */
  kind?: Extract<StateKind, 'warn' | 'bad'>;
}

export interface Known {
  health: Health;
  history: History;
  sampled: Facts['sampled'];
  /** Jobs that have not ended; null for whoever may not read of them. */
  jobs: number | null;
  now: string;
}

/** Pure, in the order of reading. */
export const figuresOf = (known: Known): Figure[] => [
  ...changed(known),
  ...jobs(known),
  ...leases(known),
  ...names(known),
  ...clock(known),
  ...certificates(known),
  ...disks(known),
];

/** Conditions that the figure of the same thing is coloured by. */
const kindOf = ({ health }: Known, id: Condition['id'], subject?: string): Pick<Figure, 'kind'> => {
  const found = health.conditions.find((each) => each.id === id && (subject === undefined || each.subject === subject));
  return found ? { kind: found.severity === 'critical' ? 'bad' : 'warn' } : {};
};

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const number = (value: number, digits: number): string =>
  new Intl.NumberFormat('en-GB', { maximumFractionDigits: digits }).format(value);

function changed({ health, now }: Known): Figure[] {
  const compared = health.services.flatMap(({ drift }) => (drift === null ? [] : drift));
  if (compared.length === 0) return [];
  const drifted = compared.filter(({ state }) => state === 'drifted').length;
  const last = compared
    .map(({ checked_at }) => checked_at)
    .toSorted()
    .at(-1)!;
  return [
    {
      label: 'Changed on the host',
      value: drifted === 0 ? 'None' : counted(drifted, 'unit', 'units'),
      note: `compared ${relative(last, now)}`,
      href: `${href('apply')}#drift`,
      ...(drifted > 0 && { kind: 'bad' }),
    },
  ];
}

const jobs = ({ jobs: unfinished }: Known): Figure[] =>
  unfinished === null
    ? []
    : [
        {
          label: 'Jobs',
          value: unfinished === 0 ? 'None' : String(unfinished),
          note: 'queued, running or waiting',
          href: href('jobs'),
        },
      ];

/** Over all scopes, and the one that is fullest. */
function leases(known: Known): Figure[] {
  const sizes = byLabel(known.sampled, 'groundcrew_dhcp_pool_addresses', 'scope');
  const given = byLabel(known.sampled, 'groundcrew_dhcp_leases', 'scope');
  if (sizes.size === 0) return [];
  const sum = (of: Iterable<number>): number => [...of].reduce((total, each) => total + each, 0);
  const use = [...sizes].map(([scope, size]) => ({ scope, part: size === 0 ? 0 : (given.get(scope) ?? 0) / size }));
  const fullest = use.toSorted((one, other) => other.part - one.part)[0]!;
  return [
    {
      label: 'DHCP leases',
      value: `${sum(given.values())} of ${number(sum(sizes.values()), 0)}`,
      note: `${fullest.scope}: ${Math.floor(100 * fullest.part)} % of its pool`,
      href: href('dhcp'),
      ...kindOf(known, 'pool_full'),
    },
  ];
}

function latest({ history }: Known, key: SeriesKey): number | null {
  const last = history.series.find((series) => series.key === key)?.points.at(-1);
  return isCurrent(last, history) ? last.value : null;
}

function names(known: Known): Figure[] {
  const rate = latest(known, 'names');
  if (rate === null) return [];
  return [{ label: 'DNS queries', value: number(rate, 0), note: 'per minute', href: href('dns') }];
}

function clock(known: Known): Figure[] {
  const [followed] = byLabel(known.sampled, 'groundcrew_ntp_synchronised', '').values();
  const offset = latest(known, 'offset');
  if (followed === undefined) return [];
  const value = offset === null ? 'Not known' : `${number(offset, 2)} ms`;
  const note = followed === 1 ? 'follows its sources' : 'follows no source';
  return [
    {
      label: 'Clock offset',
      value,
      note,
      href: href('ntp'),
      ...kindOf(known, 'clock_offset'),
      ...kindOf(known, 'clock_unsynchronised'),
    },
  ];
}

function certificates(known: Known): Figure[] {
  const { certificates: ends, services, checked_at } = known.health;
  const [first] = ends;
  if (!first) return [];
  const ended = first.not_after <= checked_at;
  return [
    {
      label: ended ? 'Certificate ended' : 'Next certificate to end',
      value: relative(first.not_after, checked_at),
      note: `${purposeWords(first.purpose, services)}, ${exact(first.not_after).slice(0, 10)}`,
      href: `${href('health')}#certificates`,
      ...kindOf(known, 'certificate_ending'),
    },
  ];
}

function disks(known: Known): Figure[] {
  const sizes = byLabel(known.sampled, 'groundcrew_disk_size_bytes', 'holds');
  const free = byLabel(known.sampled, 'groundcrew_disk_free_bytes', 'holds');
  return [...sizes].flatMap(([holds, size]): Figure[] => {
    const left = free.get(holds);
    if (left === undefined || size === 0) return [];
    return [
      {
        label: `Disk of the ${holds}`,
        value: `${Math.round((100 * (size - left)) / size)} %`,
        note: `${byteWords(left)} free`,
        href: holds === 'depot' ? href('offline-depot') : `${href('health')}#over-time`,
        ...kindOf(known, 'disk_full', holds),
      },
    ];
  });
}

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map(({ label, value, note, href: leads, kind }) => (
        <div key={label}>
          <dt>
            <PageLink href={leads}>{label}</PageLink>
          </dt>
          <dd>
            <b>{kind ? <State kind={kind}>{value}</State> : value}</b> <span class="muted">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
