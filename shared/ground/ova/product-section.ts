// ProductSections of a descriptor: who made the appliance, and the properties that a deployment sets.
import { OvaFault } from './fault.ts';
import { OVA_LIMITS } from './limits.ts';
import { propertyType } from './property-type.ts';
import type { OvfDescriptor, OvfProperty } from './types.ts';
import { child, children, type XmlNode } from './xml.ts';

/** The text of a node, or of the message that it refers to. */
export type Say = (node: XmlNode | undefined) => string;

/** Facts of the first section that has them. */
export function readProduct(sections: XmlNode[], say: Say): OvfDescriptor['product'] {
  const of = (name: string): string => sections.map((section) => say(child(section, name))).find((text) => text) ?? '';
  return { name: of('Product'), vendor: of('Vendor'), version: of('Version'), full_version: of('FullVersion') };
}

/** All properties in the order of the descriptor. @throws OvaFault property_malformed, property_duplicate, properties_too_many */
export function readProperties(sections: XmlNode[], say: Say): OvfProperty[] {
  const count = sections.reduce((sum, section) => sum + children(section, 'Property').length, 0);
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
function ofSection(section: XmlNode, say: Say): OvfProperty[] {
  const found: OvfProperty[] = [];
  let category = '';
  for (const node of section.children) {
    if (node.name === 'Category') category = say(node).slice(0, OVA_LIMITS.key); // a heading, on every property
    if (node.name === 'Property') found.push(readProperty(node, section, category, say));
  }
  return found;
}

function readProperty(node: XmlNode, section: XmlNode, category: string, say: Say): OvfProperty {
  const said = (name: string): string => node.attributes.get(name) ?? '';
  const key = fullKey(said('key'), section);
  const type = said('type').trim() || 'string';
  const typed = propertyType(type, said('qualifiers'), node.vmw.get('qualifiers') ?? '');
  const password = typed.kind === 'password' || yes(node.attributes.get('password') ?? node.vmw.get('password'));
  const values = children(node, 'Value').map((value) => ({
    option: value.attributes.get('configuration') ?? '',
    value: value.attributes.get('value') ?? '',
  }));
  return {
    ...typed,
    key,
    category,
    label: say(child(node, 'Label')),
    description: say(child(node, 'Description')),
    kind: password ? 'password' : typed.kind,
    type: type.slice(0, OVA_LIMITS.key),
    password,
    user_configurable: yes(node.attributes.get('userConfigurable')),
    required: yes(node.attributes.get('required')) || (typed.min_length ?? 0) > 0,
    default: node.attributes.get('value') ?? values.find(({ option }) => option === '')?.value ?? '',
    defaults_by_option: Object.fromEntries(
      values.filter(({ option }) => option !== '').map(({ option, value }) => [option, value]),
    ),
  };
}

/** Empty class and instance count as none. */
function fullKey(key: string, section: XmlNode): string {
  const full = [section.attributes.get('class') ?? '', key, section.attributes.get('instance') ?? '']
    .filter((part) => part !== '')
    .join('.');
  if (key === '' || !isKey(full)) throw new OvaFault('property_malformed');
  return full;
}

/** Can answers go by this name? Not by one that every object has a meaning for, or that nobody could tell from another. */
export const isKey = (name: string): boolean =>
  name !== '' &&
  name.length <= OVA_LIMITS.key &&
  !/[\p{Cc}\p{Cf}]/u.test(name) &&
  !/^(?:__proto__|constructor|prototype)$/.test(name);

/** xs:boolean, and `True` as some write it. */
export const yes = (text: string | undefined): boolean => /^\s*(?:true|1)\s*$/i.test(text ?? '');
