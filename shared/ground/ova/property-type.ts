// Types and qualifiers of OVF properties: what the specification has, and the forms that vSphere adds.
// (DSP0243 "ProductSection"; vSphere API, VAppPropertyInfo.)
import { OvaFault } from './fault.ts';
import { OVA_LIMITS } from './limits.ts';
import type { OvfProperty, PropertyKind } from './types.ts';

type Bounds = Pick<OvfProperty, 'min_length' | 'max_length' | 'minimum' | 'maximum' | 'choices'>;
export type PropertyType = Bounds & { kind: PropertyKind };

const NONE: Bounds = { min_length: null, max_length: null, minimum: null, maximum: null, choices: null };

/** Bounds of whole numbers by type; those of 64 bits as well as a number can say them (exact ones: integerBounds). */
const INTEGERS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  uint8: [0n, 0xffn],
  sint8: [-0x80n, 0x7fn],
  uint16: [0n, 0xffffn],
  sint16: [-0x8000n, 0x7fffn],
  uint32: [0n, 0xffff_ffffn],
  sint32: [-0x8000_0000n, 0x7fff_ffffn],
  int: [-0x8000_0000n, 0x7fff_ffffn],
  uint64: [0n, 0xffff_ffff_ffff_ffffn],
  sint64: [-0x8000_0000_0000_0000n, 0x7fff_ffff_ffff_ffffn],
};

/** Exact bounds that the type itself sets, or null for one that isn't a whole number. */
export const integerBounds = (type: string): readonly [bigint, bigint] | null =>
  INTEGERS[type.trim().toLowerCase().replace(/\(.*/, '')] ?? null;

/**
 * @param type `string`, `uint16`, `int(1..10)`, `string(1..64)`, `string["a","b"]`, `ip:Network 1`, …; anything unknown is text
 * @param qualifiers `MinLen(1) MaxLen(10)`, `ValueMap{"a","b"}`
 * @param vmw_qualifiers VMware's own: `Ip`, `Ip:Network 1`
 */
export function propertyType(type: string, qualifiers: string, vmw_qualifiers: string): PropertyType {
  const own = typeAlone(type.trim());
  const choices = listed(qualifiers, 'ValueMap{', '}') ?? own.choices;
  return {
    ...own,
    kind: own.kind === 'text' && /(?:^|[\s,])Ip(?:$|[\s,:(])/i.test(vmw_qualifiers) ? 'ip' : own.kind,
    min_length: argument(qualifiers, /\bMinLen\(\s*(\d{1,9})\s*\)/i) ?? own.min_length,
    max_length: argument(qualifiers, /\bMaxLen\(\s*(\d{1,9})\s*\)/i) ?? own.max_length,
    minimum: argument(qualifiers, /\bMinValue\(\s*(-?\d{1,15})\s*\)/i) ?? own.minimum,
    maximum: argument(qualifiers, /\bMaxValue\(\s*(-?\d{1,15})\s*\)/i) ?? own.maximum,
    // True and False are written in several ways.
    choices: own.kind === 'boolean' ? null : choices,
  };
}

function typeAlone(type: string): PropertyType {
  const name = /^[a-z0-9]+/i.exec(type)?.[0].toLowerCase() ?? '';
  // Blanks are counted: a number that may be missing between two runs of any length is tried at each blank.
  const range = /^\w+\(\s{0,9}(-?\d{0,18}(?:\.\d{0,9})?)\s{0,9}\.\.\s{0,9}(-?\d{0,18}(?:\.\d{0,9})?)\s{0,9}\)$/.exec(
    type,
  );
  const [low, high] = [bound(range?.[1]), bound(range?.[2])];
  if (name === 'boolean') return { ...NONE, kind: 'boolean' };
  if (name === 'ip') return { ...NONE, kind: 'ip' };
  const whole = INTEGERS[name];
  if (whole) {
    return { ...NONE, kind: 'integer', minimum: low ?? Number(whole[0]), maximum: high ?? Number(whole[1]) };
  }
  if (/^real(?:32|64)?$/.test(name)) return { ...NONE, kind: 'real', minimum: low, maximum: high };
  const lengths = { ...NONE, min_length: low, max_length: high };
  if (name === 'password') return { ...lengths, kind: 'password' };
  return { ...lengths, kind: 'text', choices: listed(type, 'string[', ']') };
}

const bound = (text: string | undefined): number | null =>
  text === undefined || text === '' || Number.isNaN(Number(text)) ? null : Number(text);

function argument(qualifiers: string, pattern: RegExp): number | null {
  const said = pattern.exec(qualifiers)?.[1];
  return said === undefined ? null : Number(said);
}

/** Quoted strings between `opening` and `closing`; null when there are none or they can't be read. */
function listed(text: string, opening: string, closing: string): string[] | null {
  const start = text.toLowerCase().indexOf(opening.toLowerCase());
  if (start < 0) return null;
  const item = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*([,\]}])/y;
  item.lastIndex = start + opening.length;
  const values: string[] = [];
  for (let found = item.exec(text); found; found = item.exec(text)) {
    values.push((found[1] ?? found[2] ?? '').replace(/\\(.)/g, '$1'));
    if (values.length > OVA_LIMITS.choices) throw new OvaFault('properties_too_many', OVA_LIMITS.properties);
    if (found[3] === closing) return values;
  }
  return null;
}
