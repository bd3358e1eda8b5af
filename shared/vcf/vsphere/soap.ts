// One call of the vSphere API as text, and its answer as a tree. The version in a request decides the format of the
// answer: it is old enough for every supported release, so that all answer alike.
import { Problem } from '../../ground/problems.ts';
import { childOf, namespaceOf, split, textOf, typeOf, type XmlElement } from '../../ground/xml/element.ts';
import { parseXmlInParts } from '../../ground/xml/parse.ts';
import { XmlFault, type XmlRules } from '../../ground/xml/rules.ts';
import { escapeXml, isXmlText } from '../../ground/xml/text.ts';

/** Of what a server answers, in parts of some megabytes. */
export const ANSWER_RULES: XmlRules = {
  depth: 100,
  elements: 250_000,
  references: 100_000,
  attributes: 20_000,
  attributes_all: 1_000_000,
  tag: 256 * 1024,
  text: 4 * 1024 * 1024,
  strict: false,
  instructions: false,
};

/** A managed object, by its type and its id there. */
export interface ObjectRef {
  type: string;
  id: string;
}

export const API_VERSION = 'urn:vim25/6.7';

const ENVELOPE = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"',
  ' xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
].join('');
const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';

/** `inside`: what follows the object, in the order of the API's description; already XML. */
export function envelope(method: string, on: ObjectRef, inside: string): string {
  const call = `<${method} xmlns="urn:vim25">${refXml('_this', on)}${inside}</${method}>`;
  return `${ENVELOPE}<soapenv:Body>${call}</soapenv:Body></soapenv:Envelope>`;
}

const UNWRITABLE = 'A value has characters that the vSphere API has no way to take; leave out control characters.';

/** @throws Problem for characters that XML can't hold */
export function escaped(text: string): string {
  if (!isXmlText(text)) throw new Problem('remote_refused', UNWRITABLE);
  return escapeXml(text);
}

/** An element with escaped text; nothing for null. */
export const textXml = (name: string, value: string | number | boolean | null | undefined): string =>
  value === null || value === undefined ? '' : `<${name}>${escaped(String(value))}</${name}>`;

export const refXml = (name: string, ref: ObjectRef | null | undefined): string =>
  ref ? `<${name} type="${escaped(ref.type)}">${escaped(ref.id)}</${name}>` : '';

/** An ESXi host makes them of names: `HaNetwork-VM Network`. */
const OBJECT_ID = /^[^\p{Cc}]{1,500}$/u;
const OBJECT_TYPE = /^[A-Za-z]\w{0,99}$/;

/** A reference in an answer; null for anything else. */
export function refOf(element: XmlElement | null | undefined): ObjectRef | null {
  const type = element?.attributes.get('type') ?? '';
  const id = element?.text ?? '';
  return OBJECT_TYPE.test(type) && OBJECT_ID.test(id) ? { type, id } : null;
}

/** A number in an answer; null for anything else. */
export function numberOf(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !/^\s*-?\d{1,19}(?:\.\d+)?\s*$/.test(text)) return null;
  return Number(text);
}

export const booleanOf = (text: string | null | undefined): boolean | null =>
  text === null || text === undefined ? null : /^\s*(?:true|1)\s*$/.test(text);

/** A fault as received: its type decides, its message is for people. */
export interface SaidFault {
  type: string | null;
  message: string | null;
  /** Of NoPermission: the privilege that is missing. */
  privilege: string | null;
}

export type SoapAnswer = { result: XmlElement } | { fault: SaidFault } | { unusable: string };

/** The body of an answer: what the method returned, a fault, or why it is neither. */
export async function readAnswer(text: string, method: string): Promise<SoapAnswer> {
  let root: XmlElement;
  try {
    root = await parseXmlInParts(text, ANSWER_RULES);
  } catch (error) {
    if (error instanceof XmlFault) return { unusable: 'is no XML' };
    throw error;
  }
  if (root.local !== 'Envelope' || namespaceOf(root, split(root.name)[0]) !== SOAP) return { unusable: 'is no SOAP' };
  const said = childOf(root, 'Body')?.children[0];
  if (said?.local === 'Fault') return { fault: soapFault(said) };
  if (said?.local !== `${method}Response`) return { unusable: 'answers something else' };
  return { result: said };
}

function soapFault(element: XmlElement): SaidFault {
  const detail = childOf(element, 'detail')?.children[0] ?? null;
  return { ...detailOf(detail), message: textOf(element, 'faultstring') || null };
}

/** A `LocalizedMethodFault` inside of data: of a task, a lease, an import specification. */
export function localizedFault(element: XmlElement): SaidFault {
  return { ...detailOf(childOf(element, 'fault')), message: textOf(element, 'localizedMessage') || null };
}

function detailOf(detail: XmlElement | null): Omit<SaidFault, 'message'> {
  // Some faults have no xsi:type: then the element's name is the type, such as `InvalidLoginFault`.
  const named = typeOf(detail) ?? detail?.local.replace(/Fault$/, '') ?? null;
  const privilege = textOf(detail, 'privilegeId');
  return {
    type: named !== null && OBJECT_TYPE.test(named) && named !== '' ? named : null,
    privilege: privilege !== null && /^[\w.]{1,100}$/.test(privilege) ? privilege : null,
  };
}
