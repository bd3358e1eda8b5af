// Messages of LDAP (RFC 4511) as far as a probe and a look over slapd's socket need them: bind, search, StartTLS. BER (X.690) with definite lengths.

const length = (size: number): Buffer => {
  if (size < 0x80) return Buffer.from([size]);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(size);
  return Buffer.concat([Buffer.from([0x84]), bytes]);
};
const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), length(content.length), content]);
};
const text = (value: string, tag = 0x04): Buffer => tagged(tag, Buffer.from(value, 'utf8'));
const number = (value: number, tag = 0x02): Buffer => tagged(tag, Buffer.from([value]));

/** `id`: 1 to 127. */
const message = (id: number, ...parts: readonly Buffer[]): Buffer => tagged(0x30, number(id), ...parts);

export const bindRequest = (id: number, dn: string, password: string): Buffer => message(id, bind(dn, password));

const bind = (dn: string, password: string): Buffer => tagged(0x60, number(3), text(dn), text(password, 0x80));

/** draft-behera-ldap-password-policy, 6: the answer then says why. */
const POLICY = '1.3.6.1.4.1.42.2.27.8.5.1';

export const bindAskingWhy = (id: number, dn: string, password: string): Buffer =>
  message(id, bind(dn, password), tagged(0xa0, tagged(0x30, text(POLICY))));

/** One attribute of one entry. */
export const readRequest = (id: number, dn: string, attribute: string): Buffer =>
  message(
    id,
    tagged(
      0x63,
      ...[text(dn), number(0, 0x0a), number(0, 0x0a), number(0), number(0), number(0, 0x01)],
      text('objectClass', 0x87),
      tagged(0x30, text(attribute)),
    ),
  );

/** RFC 4511, 4.14. */
export const startTlsRequest = (id: number): Buffer => message(id, tagged(0x77, text('1.3.6.1.4.1.1466.20037', 0x80)));

/** SASL EXTERNAL (RFC 4422): as the user of this process, which slapd's socket tells. Without the empty credentials it would ask for them. */
export const bindExternal = (id: number): Buffer =>
  message(id, tagged(0x60, number(3), text(''), tagged(0xa3, text('EXTERNAL'), text(''))));

export interface LdapSearch {
  base: string;
  scope: 'base' | 'sub';
  /** `present` without a value. */
  filter: { attribute: string; is: 'present' } | { attribute: string; is: 'equal' | 'at least'; value: string };
  attributes: readonly string[];
}

const COMPARISONS = { equal: 0xa3, 'at least': 0xa5 } as const;

export function searchRequest(id: number, { base, scope, filter, attributes }: LdapSearch): Buffer {
  const asked =
    filter.is === 'present'
      ? text(filter.attribute, 0x87)
      : tagged(COMPARISONS[filter.is], text(filter.attribute), text(filter.value));
  const limits = [number(scope === 'base' ? 0 : 2, 0x0a), number(0, 0x0a), number(0), number(0), number(0, 0x01)];
  const list = tagged(0x30, ...attributes.map((name) => text(name)));
  return message(id, tagged(0x63, text(base), ...limits, asked, list));
}

export interface LdapEntry {
  dn: string;
  attributes: Record<string, string[]>;
}

/** An entry of a search, the result code that ends one or a bind, or null for what is neither. */
export type LdapTold = { entry: LdapEntry } | { code: number } | null;

/** As `nextAnswer`, with all of an entry. */
export function nextTold(bytes: Buffer): { told: LdapTold; rest: Buffer } | null {
  if (bytes.length > 0 && bytes[0] !== 0x30) throw new Error('The answer is none of LDAP.');
  const whole = partAt(bytes, 0);
  if (!whole) return null;
  const [, operation] = partsOf(whole.content);
  if (!operation) throw new Error('The answer is none of LDAP.');
  return { told: toldIn(operation), rest: bytes.subarray(whole.end) };
}

const BIND_DONE = 0x61;
const SEARCH_DONE = 0x65;

function toldIn({ tag, content }: Part): LdapTold {
  const [first, second] = partsOf(content);
  if (tag === BIND_DONE || tag === SEARCH_DONE) return { code: first?.content[0] ?? -1 };
  if (tag !== ENTRY || !first || !second) return null;
  const attributes: Record<string, string[]> = {};
  for (const attribute of partsOf(second.content)) {
    const [name, values] = partsOf(attribute.content);
    if (name && values)
      attributes[name.content.toString('utf8')] = partsOf(values.content).map((value) =>
        value.content.toString('utf8'),
      );
  }
  return { entry: { dn: first.content.toString('utf8'), attributes } };
}

export interface LdapAnswer {
  id: number;
  /** Result code; null for an entry of a search. */
  code: number | null;
  /** First value of the attribute that was asked for. */
  value: string | null;
  /** Error of the password policy: 0 expired, 1 locked, 2 has to be changed; null where none is told. */
  policy: number | null;
}

interface Part {
  tag: number;
  content: Buffer;
  end: number;
}

/** Null: not all of it is there. */
function partAt(bytes: Buffer, at: number): Part | null {
  if (bytes.length < at + 2) return null;
  const first = bytes[at + 1]!;
  const many = first < 0x80 ? 0 : first & 0x7f;
  if (many > 4) throw new Error('The answer is none of LDAP.');
  if (bytes.length < at + 2 + many) return null;
  const size = many === 0 ? first : bytes.readUIntBE(at + 2, many);
  const begin = at + 2 + many;
  return bytes.length < begin + size
    ? null
    : { tag: bytes[at]!, content: bytes.subarray(begin, begin + size), end: begin + size };
}

function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length; ) {
    const part = partAt(bytes, at);
    if (!part) throw new Error('The answer is none of LDAP.');
    parts.push(part);
    at = part.end;
  }
  return parts;
}

const ENTRY = 0x64;

/** The first message of what came so far, and the rest; null while there is none. @throws Error for what is no LDAP */
export function nextAnswer(bytes: Buffer): { answer: LdapAnswer; rest: Buffer } | null {
  if (bytes.length > 0 && bytes[0] !== 0x30) throw new Error('The answer is none of LDAP.');
  const whole = partAt(bytes, 0);
  if (!whole) return null;
  const [id, operation, controls] = partsOf(whole.content);
  if (!id || !operation) throw new Error('The answer is none of LDAP.');
  const parts = partsOf(operation.content);
  const entry = operation.tag === ENTRY;
  return {
    answer: {
      id: id.content[0] ?? 0,
      code: entry ? null : (parts[0]?.content[0] ?? null),
      value: entry ? valueIn(parts[1]) : null,
      policy: controls ? policyIn(controls) : null,
    },
    rest: bytes.subarray(whole.end),
  };
}

/** PartialAttributeList: attributes, each with its values. */
function valueIn(attributes: Part | undefined): string | null {
  const [attribute] = attributes ? partsOf(attributes.content) : [];
  const [, values] = attribute ? partsOf(attribute.content) : [];
  const [value] = values ? partsOf(values.content) : [];
  return value?.content.toString('utf8') ?? null;
}

/** PasswordPolicyResponseValue: a warning, which is left alone, and an error. */
function policyIn(controls: Part): number | null {
  for (const control of partsOf(controls.content)) {
    const parts = partsOf(control.content);
    if (parts[0]?.content.toString('latin1') !== POLICY) continue;
    const value = parts.find(({ tag }, at) => at > 0 && tag === 0x04);
    const [response] = value ? partsOf(value.content) : [];
    const error = response && partsOf(response.content).find(({ tag }) => tag === 0x81);
    return error?.content[0] ?? null;
  }
  return null;
}
