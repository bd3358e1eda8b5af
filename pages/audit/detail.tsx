// The chosen facts of an audit event, as names and values that a person reads.
import { unitName } from '../../shared/platform/unit-names.ts';
import { byteWords } from '../components/byte-words.ts';
import { More } from '../components/code.tsx';
import { exact } from '../components/time-words.ts';

/** More facts than these are folded away, and any that would be several lines of a row. */
const SHOWN = 4;
const SHOWN_CHARACTERS = 200;
/** Ids and digests are there for who needs them: folded, beside the event's own. */
const CODE = /^(?:[a-z]+_[a-z0-9]{12,}|[0-9a-f]{40,})$/;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const isCode = ([name, value]: [string, unknown]): boolean =>
  /(?:^|_)(?:id|ids|digest|sha256)$/.test(name) || (typeof value === 'string' && CODE.test(value));

/** What a person reads of the facts, and the codes among them. */
export function factsOf(detail: Record<string, unknown>): { facts: [string, unknown][]; codes: [string, unknown][] } {
  const { true: codes = [], false: facts = [] } = Object.groupBy(Object.entries(detail), (fact) =>
    isCode(fact) ? 'true' : 'false',
  );
  return { facts, codes };
}

/** `name`: what the row says already. */
export function Detail({ detail, name }: { detail: Record<string, unknown>; name: string | null }) {
  const facts = factsOf(detail).facts.filter(([, value]) => value !== name);
  if (facts.length === 0) return null;
  const list = <DetailList facts={facts} />;
  const short = facts.every(([fact, value]) => spoken(fact, value).length <= SHOWN_CHARACTERS);
  if (facts.length <= SHOWN && short) return list;
  return <More summary={facts.length === 1 ? '1 fact' : `${facts.length} facts`}>{list}</More>;
}

export function DetailList({ facts }: { facts: readonly (readonly [string, unknown])[] }) {
  return (
    <dl class="detail">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>{spoken(name, value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Facts whose value is of the program: ids of units, names of members, kinds of reasons. */
const UNITS = /(?:^|_)(?:units?|purpose)$/;
const MEMBERS = /^(?:changed|reason|cause|kind)$/;

function spoken(name: string, value: unknown): string {
  if (UNITS.test(name)) return unitsInWords(value);
  if (/(?:^|_)bytes$/.test(name) && typeof value === 'number') return byteWords(value);
  return MEMBERS.test(name) ? inWords(value).replaceAll('_', ' ') : inWords(value);
}

/** Ids of units as their names, whatever else is said of them. */
const unitsInWords = (value: unknown): string => inWords(value).replaceAll(/[a-z]+(?:-[a-z]+)*/g, unitName);

/** `ens224`, `yes`, `a, b`, `from 10.0.0.1 to 10.0.0.2`, `name x, role y`. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ');
  if (typeof value === 'string' && INSTANT.test(value)) return exact(value);
  if (typeof value !== 'object') return String(value);
  if ('property' in value && 'from' in value && 'to' in value) {
    return `${inWords(value.property).replaceAll('_', ' ')}: ${inWords(value.from)} → ${inWords(value.to)}`;
  }
  const members = Object.entries(value);
  if (members.length === 0) return 'none';
  return members.map(([name, inner]) => `${name.replaceAll('_', ' ')} ${inWords(inner)}`).join(', ');
}
