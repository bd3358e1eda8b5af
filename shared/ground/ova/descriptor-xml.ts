// A descriptor as XML: its encoding, its bounds, and attributes by local names.
import { namespaceOf, split, type XmlElement } from '../xml/element.ts';
import { parseXml, parseXmlInParts } from '../xml/parse.ts';
import { XmlFault, type XmlRules } from '../xml/rules.ts';
import { OvaFault } from './fault.ts';
import { OVA_LIMITS } from './limits.ts';

const RULES: XmlRules = { ...OVA_LIMITS, text: OVA_LIMITS.descriptor, strict: true, instructions: true };
const VMW = 'http://www.vmware.com/schema/ovf';

/** @throws OvaFault descriptor_entity, _doctype, _malformed, _too_… */
export function parseDescriptor(text: string): XmlElement {
  try {
    return parseXml(text, RULES);
  } catch (error) {
    throw asOvaFault(error);
  }
}

/** The same, letting others in between. @throws OvaFault; the reason of `signal` */
export async function parseDescriptorInParts(text: string, signal?: AbortSignal): Promise<XmlElement> {
  try {
    return await parseXmlInParts(text, RULES, signal);
  } catch (error) {
    throw asOvaFault(error);
  }
}

const asOvaFault = (error: unknown): unknown =>
  error instanceof XmlFault ? new OvaFault(`descriptor_${error.reason}`, error.bound) : error;

/** OVF's own attribute, or one without a prefix; not VMware's. */
export const attributeOf = (element: XmlElement | null | undefined, local: string): string | undefined =>
  attribute(element, local, false);

export const vmwareAttributeOf = (element: XmlElement, local: string): string | undefined =>
  attribute(element, local, true);

function attribute(element: XmlElement | null | undefined, local: string, vmware: boolean): string | undefined {
  if (!element) return undefined;
  let found: string | undefined;
  for (const [name, value] of element.attributes) {
    const [prefix, own] = split(name);
    if (own !== local || prefix === 'xmlns') continue;
    if ((prefix !== '' && namespaceOf(element, prefix) === VMW) !== vmware) continue;
    // With and without a prefix: OVF's own attribute counts.
    if (prefix === 'ovf') return value;
    found ??= value;
  }
  return found;
}

/** @throws OvaFault descriptor_encoding */
export function decoded(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const encoding = /^<\?xml[^>]{0,100}?encoding\s*=\s*["']([^"']{1,40})/.exec(text.slice(0, 200))?.[1] ?? 'utf-8';
    if (/^(?:utf-?8|us-ascii)$/i.test(encoding)) return text;
  } catch {
    // Refused below.
  }
  throw new OvaFault('descriptor_encoding');
}
