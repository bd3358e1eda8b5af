// Typed values for the properties of an OVA, checked against its descriptor.
import { isIP } from 'node:net';
import type { FieldError } from '../problems.ts';
import { isXmlText } from '../xml/text.ts';
import { OVA_LIMITS } from './limits.ts';
import { integerBounds } from './property-type.ts';
import type { OvfDescriptor, OvfProperty, PropertyKind } from './types.ts';

export interface PropertyValue {
  key: string;
  value: string;
}

export interface PropertyValues {
  /** Properties that a deployment may set, with defaults: the values for a target. */
  values: PropertyValue[];
  /** All of the descriptor, for a guest that gets its environment from us. */
  environment: PropertyValue[];
  errors: FieldError[];
}

/**
 * @param option deployment option; null or '' for the default one
 * @param typed full key → text as typed; a missing key gets its default. An empty text is a value.
 * @returns errors with pointers /properties/<key>; none quotes a value. Booleans come out as True or False.
 */
export function propertyValues(
  descriptor: Pick<OvfDescriptor, 'properties' | 'deployment_options'>,
  option: string | null,
  typed: Readonly<Record<string, string>>,
): PropertyValues {
  const options = descriptor.deployment_options;
  const chosen = option || (options.find((one) => one.default)?.id ?? '');
  const errors: FieldError[] = [];
  if (option && !options.some(({ id }) => id === option)) {
    errors.push({ pointer: '/deployment_option', detail: 'The OVA has no such deployment option.' });
  }
  const known = new Set(descriptor.properties.map(({ key }) => key));
  for (const key of Object.keys(typed)) {
    if (!known.has(key)) errors.push({ pointer: pointerOf(key), detail: 'The OVA has no property of this key.' });
  }
  const all = descriptor.properties.map((property) => {
    const preset = defaultOf(property, chosen);
    const given = Object.hasOwn(typed, property.key) ? typed[property.key] : undefined;
    const { value, fault } = judge(property, preset, given);
    if (fault !== null) errors.push({ pointer: pointerOf(property.key), detail: fault });
    return { key: property.key, value, settable: property.user_configurable };
  });
  const pairs = (of: typeof all): PropertyValue[] => of.map(({ key, value }) => ({ key, value }));
  return { values: pairs(all.filter(({ settable }) => settable)), environment: pairs(all), errors };
}

/** What a property has when nothing is typed. */
export const defaultOf = (property: OvfProperty, option: string): string =>
  (Object.hasOwn(property.defaults_by_option, option) ? property.defaults_by_option[option] : undefined) ??
  property.default;

type Judged = { value: string; fault: string | null };

function judge(property: OvfProperty, preset: string, given: string | undefined): Judged {
  if (!property.user_configurable) {
    const differs = given !== undefined && given !== preset;
    return { value: preset, fault: differs ? 'The OVA sets this property itself; leave it out.' : null };
  }
  const raw = given ?? preset;
  if (raw.length > OVA_LIMITS.value) return { value: '', fault: `Enter at most ${OVA_LIMITS.value} characters.` };
  if (!isXmlText(raw)) return { value: '', fault: 'Enter it without control characters.' };
  const value = KINDS[property.kind].spelled(raw);
  if (value === '') return { value, fault: emptyFault(property) };
  return { value, fault: choiceFault(property, value) ?? KINDS[property.kind].fault(property, value) };
}

/** A boolean has no empty value: it is False. */
function emptyFault(property: OvfProperty): string | null {
  if (property.choices?.includes('')) return null;
  if ((property.min_length ?? 0) > 0) return lengthFault(property, '');
  return property.required ? 'Enter a value.' : null;
}

function choiceFault({ choices }: OvfProperty, value: string): string | null {
  return choices === null || choices.includes(value) ? null : 'Choose one of the values that the OVA offers.';
}

interface KindRules {
  /** The text as it is sent. */
  spelled(text: string): string;
  fault(property: OvfProperty, value: string): string | null;
}

const KINDS: Readonly<Record<PropertyKind, KindRules>> = {
  text: { spelled: (text) => text, fault: lengthFault },
  password: { spelled: (text) => text, fault: lengthFault },
  boolean: {
    spelled: (text) => BOOLEANS[text.trim().toLowerCase()] ?? text,
    fault: (_, value) => (value === 'True' || value === 'False' ? null : 'Choose True or False.'),
  },
  integer: { spelled: (text) => text.trim(), fault: integerFault },
  real: { spelled: (text) => text.trim(), fault: realFault },
  ip: {
    spelled: (text) => text.trim(),
    fault: (_, value) => (isIP(value) > 0 && !value.includes('%') ? null : 'Enter an IPv4 or IPv6 address.'),
  },
};

const BOOLEANS: Readonly<Record<string, string>> = {
  '': 'False',
  true: 'True',
  false: 'False',
  1: 'True',
  0: 'False',
  yes: 'True',
  no: 'False',
  on: 'True',
  off: 'False',
};

function lengthFault({ min_length, max_length }: OvfProperty, value: string): string | null {
  const length = [...value].length;
  if (min_length !== null && length < min_length) return `Enter at least ${min_length} characters.`;
  if (max_length !== null && length > max_length) return `Enter at most ${max_length} characters.`;
  return null;
}

/** Exact, also where a number is not. */
function integerFault({ type, minimum, maximum }: OvfProperty, value: string): string | null {
  if (!/^[+-]?\d{1,20}$/.test(value)) return 'Enter a whole number.';
  const number = BigInt(value.replace('+', ''));
  const own = integerBounds(type);
  const least = stricter(minimum, own?.[0], (a, b) => a > b);
  const most = stricter(maximum, own?.[1], (a, b) => a < b);
  if (least !== null && number < least) return `Enter at least ${least}.`;
  if (most !== null && number > most) return `Enter at most ${most}.`;
  return null;
}

function stricter(said: number | null, own: bigint | undefined, by: (a: bigint, b: bigint) => boolean): bigint | null {
  const exact = said !== null && Number.isSafeInteger(said) ? BigInt(said) : null;
  if (own === undefined) return exact;
  return exact !== null && by(exact, own) ? exact : own;
}

function realFault({ minimum, maximum }: OvfProperty, value: string): string | null {
  if (!/^[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:e[+-]?\d{1,3})?$/i.test(value)) return 'Enter a number.';
  if (minimum !== null && Number(value) < minimum) return `Enter at least ${minimum}.`;
  if (maximum !== null && Number(value) > maximum) return `Enter at most ${maximum}.`;
  return null;
}

/** A key as the last part of a JSON pointer (RFC 6901). */
const pointerOf = (key: string): string => `/properties/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
