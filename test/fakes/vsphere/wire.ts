// SOAP as the fake reads and writes it, independent of how the client does: with fast-xml-parser, and texts by hand.
import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element: text alone, or members by local name, `@name` for attributes, `#text` beside them. */
export type Node = string | NodeObject | (string | NodeObject)[];
export interface NodeObject {
  [member: string]: Node;
}

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', removeNSPrefix: true, trimValues: false },
  ...{ parseTagValue: false, parseAttributeValue: false, processEntities: false },
});

/** Null when it isn't well-formed. Members keep the order in which they stood. */
export function parse(text: string): NodeObject | null {
  return XMLValidator.validate(text) === true ? (parser.parse(text) as NodeObject) : null;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What the entities of a text stand for. */
export const decoded = (text: string): string =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (_whole, hexadecimal, decimal, name) =>
    name ? (NAMED[name] ?? '') : String.fromCodePoint(hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal)),
  );

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const listOf = (node: Node | undefined): (string | NodeObject)[] =>
  node === undefined ? [] : Array.isArray(node) ? node : [node];

/** A member, the first when there are more. */
export const member = (node: Node | undefined, ...path: string[]): string | NodeObject | undefined =>
  path.reduce<string | NodeObject | undefined>(
    (at, name) => (typeof at === 'object' ? listOf(at[name])[0] : undefined),
    listOf(node)[0],
  );

/** Decoded text of an element. */
export const text = (node: Node | undefined, ...path: string[]): string => {
  const found = member(node, ...path);
  return decoded(typeof found === 'object' ? ((found['#text'] as string) ?? '') : (found ?? ''));
};

/** Names of the child elements, in order, each once. */
export const names = (node: Node | undefined): string[] =>
  Object.keys(typeof node === 'object' && !Array.isArray(node) ? node : {}).filter((name) => !/^[@#]/.test(name));

export interface Ref {
  type: string;
  id: string;
}
export const refOf = (node: Node | undefined): Ref => ({ type: text(member(node, '@type')), id: text(node) });
export const refXml = (name: string, { type, id }: Ref): string => `<${name} type="${type}">${escaped(id)}</${name}>`;

export const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/" xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n<soapenv:Body>\n${body}\n</soapenv:Body>\n</soapenv:Envelope>`;

export const answered = (method: string, inside: string): string =>
  envelope(`<${method}Response xmlns="urn:vim25">${inside}</${method}Response>`);

export interface SaidFault {
  /** vSphere's type: `NoPermission`. */
  type: string;
  message?: string;
  /** XML within the fault. */
  inside?: string;
}

export const faultXml = ({ type, message = '', inside = '' }: SaidFault): string =>
  envelope(
    `<soapenv:Fault><faultcode>ServerFaultCode</faultcode><faultstring>${escaped(message)}</faultstring><detail><${type}Fault xmlns="urn:vim25" xsi:type="${type}">${inside}</${type}Fault></detail></soapenv:Fault>`,
  );

/** What goes back to the client. */
export interface FrontAnswer {
  status: number;
  body: string;
  set_cookie?: string;
}
export const said = (fault: SaidFault): FrontAnswer => ({ status: 500, body: faultXml(fault) });
export const ok = (body: string): FrontAnswer => ({ status: 200, body });

/** A fault inside of data. */
export const localizedXml = (name: string, { type, message = '', inside = '' }: SaidFault): string =>
  `<${name} xsi:type="LocalizedMethodFault"><fault xsi:type="${type}">${inside}</fault><localizedMessage>${escaped(message)}</localizedMessage></${name}>`;

/** One object of RetrievePropertiesEx. */
export const objectXml = (ref: Ref, properties: Readonly<Record<string, string>>): string =>
  answered(
    'RetrievePropertiesEx',
    `<returnval><objects>${refXml('obj', ref)}${Object.entries(properties)
      .map(([name, val]) => `<propSet><name>${name}</name>${val}</propSet>`)
      .join('')}</objects></returnval>`,
  );

export interface Asked {
  method: string;
  on: Ref;
  /** The element of the method. */
  call: NodeObject;
  /** The request as it came. */
  body: string;
}

/** Null when it is no request that vSphere would take. */
export function asked(body: string): Asked | null {
  const soap = member(parse(body) ?? undefined, 'Envelope', 'Body');
  const method = names(soap)[0];
  const call = method === undefined ? undefined : member(soap, method);
  if (method === undefined || typeof call !== 'object' || names(call)[0] !== '_this' || misordered(method, call))
    return null;
  return { method, on: refOf(call._this), call, body };
}

/** Order of members where a server insists on it, as it always does; only for what this client sends. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  Login: ['_this', 'userName', 'password', 'locale'],
  CreateContainerView: ['_this', 'container', 'type', 'recursive'],
  RetrievePropertiesEx: ['_this', 'specSet', 'options'],
  CreateImportSpec: ['_this', 'ovfDescriptor', 'resourcePool', 'datastore', 'cisp'],
  ImportVApp: ['_this', 'spec', 'folder', 'host'],
  ReconfigVM_Task: ['_this', 'spec'],
  specSet: ['propSet', 'objectSet', 'reportMissingObjectsInResults'],
  propSet: ['type', 'all', 'pathSet'],
  objectSet: ['obj', 'skip', 'selectSet'],
  selectSet: ['name', 'type', 'path', 'skip', 'selectSet'],
  cisp: [
    ...['locale', 'deploymentOption', 'msgBundle', 'importOption', 'entityName', 'hostSystem', 'networkMapping'],
    ...['ipAllocationPolicy', 'ipProtocol', 'propertyMapping', 'resourceMapping', 'diskProvisioning'],
    'instantiationOst',
  ],
  networkMapping: ['name', 'network'],
  propertyMapping: ['key', 'value'],
  extraConfig: ['key', 'value'],
};
/** What is inside of the specification came from the server itself. */
const OPAQUE = new Set(['spec']);

function misordered(name: string, node: Node): boolean {
  const order = ORDER[name];
  const present = names(node);
  if (order) {
    const places = present.map((each) => order.indexOf(each));
    if (places.some((place, at) => place < 0 || place < (places[at - 1] ?? 0))) return true;
  }
  if (name === 'ImportVApp' || typeof node !== 'object' || Array.isArray(node)) return false;
  return present.some((each) => !OPAQUE.has(each) && listOf(node[each]).some((child) => misordered(each, child)));
}
