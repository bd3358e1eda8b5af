// ProductSections of a descriptor: who made the appliance, and the properties that a deployment sets.
import { childOf, childrenOf, type XmlElement } from '../xml/element.ts';
import { attributeOf, vmwareAttributeOf } from './descriptor-xml.ts';
import { OvaFault } from './fault.ts';
import { OVA_LIMITS } from './limits.ts';
import { propertyType } from './property-type.ts';
import type { OvfDescriptor, OvfProperty } from './types.ts';

/** The text of a node, or of the message that it refers to. */
export type Say = (node: XmlElement | null | undefined) => string;

/** Facts of the first section that has them. */
export function readProduct(sections: XmlElement[], say: Say): OvfDescriptor['product'] {
  const of = (name: string): string =>
    sections.map((section) => say(childOf(section, name))).find((text) => text) ?? '';
  return { name: of('Product'), vendor: of('Vendor'), version: of('Version'), full_version: of('FullVersion') };
}

/**
 * All properties in the order of the descriptor.
 * @throws OvaFault property_malformed, property_duplicate, properties_too_many
 */
export function readProperties(sections: XmlElement[], say: Say): OvfProperty[] {
  const count = sections.reduce((sum, section) => sum + childrenOf(section, 'Property').length, 0);
  if (count > OVA_LIMITS.properties) throw new OvaFault('properties_too_many', OVA_LIMITS.properties);
  const properties = sections.flatMap((section) => ofSection(section, say));
  const keys = new Set<string>();
  let choices = 0;
  for (const property of properties) {
    const { key } = property;
    if (keys.has(key)) throw new OvaFault('property_duplicate', key);
    keys.add(key);
    choices += property.choices?.length ?? 0;
    if (choices > OVA_LIMITS.choices) throw new OvaFault('properties_too_many', OVA_LIMITS.properties);
  }
  return properties;
}

/** A Category holds for the properties that follow it. */
function ofSection(section: XmlElement, say: Say): OvfProperty[] {
  const found: OvfProperty[] = [];
  let category = '';
  for (const node of section.children) {
    if (node.local === 'Category') category = say(node).slice(0, OVA_LIMITS.key); // a heading, on every property
    if (node.local === 'Property') found.push(readProperty(node, section, category, say));
  }
  return found;
}

function readProperty(node: XmlElement, section: XmlElement, category: string, say: Say): OvfProperty {
  const said = (name: string): string => attributeOf(node, name) ?? '';
  const key = fullKey(said('key'), section);
  const type = said('type').trim() || 'string';
  const typed = propertyType(type, said('qualifiers'), vmwareAttributeOf(node, 'qualifiers') ?? '');
  const password =
    typed.kind === 'password' || yes(attributeOf(node, 'password') ?? vmwareAttributeOf(node, 'password'));
  const values = childrenOf(node, 'Value').map((value) => ({
    option: attributeOf(value, 'configuration') ?? '',
    value: attributeOf(value, 'value') ?? '',
  }));
  return {
    ...typed,
    key,
    category,
    label: say(childOf(node, 'Label')),
    description: say(childOf(node, 'Description')),
    kind: password ? 'password' : typed.kind,
    type: type.slice(0, OVA_LIMITS.key),
    password,
    user_configurable: yes(attributeOf(node, 'userConfigurable')),
    required: yes(attributeOf(node, 'required')) || (typed.min_length ?? 0) > 0,
    default: attributeOf(node, 'value') ?? values.find(({ option }) => option === '')?.value ?? '',
    defaults_by_option: Object.fromEntries(
      values.filter(({ option }) => option !== '').map(({ option, value }) => [option, value]),
    ),
  };
}

/** Empty class and instance count as none. */
function fullKey(key: string, section: XmlElement): string {
  const full = [attributeOf(section, 'class') ?? '', key, attributeOf(section, 'instance') ?? '']
    .filter((part) => part !== '')
    .join('.');
  if (key === '' || !isKey(full)) throw new OvaFault('property_malformed');
  return full;
}

/** Whether values can have this name: not one that every object has, or that looks like another one. */
export const isKey = (name: string): boolean =>
  name !== '' &&
  name.length <= OVA_LIMITS.key &&
  !/[\p{Cc}\p{Cf}]/u.test(name) &&
  !/^(?:__proto__|constructor|prototype)$/.test(name);

/** xs:boolean, and `True` as some write it. */
export const yes = (text: string | undefined): boolean => /^\s*(?:true|1)\s*$/i.test(text ?? '');
