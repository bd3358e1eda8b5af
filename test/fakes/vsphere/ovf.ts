// What the fake reads of an OVF descriptor: which properties may be set, which options and networks there are.
import { listOf, member, type Node, names, parse, text } from './wire.ts';

export interface Descriptor {
  /** Full key → whether somebody may set it. */
  properties: Map<string, boolean>;
  options: string[];
  networks: string[];
  /** href → bytes. */
  sizes: Map<string, number | null>;
}

export function descriptorOf(xml: string): Descriptor | null {
  const root = member(parse(xml) ?? undefined, 'Envelope');
  if (typeof root !== 'object') return null;
  const found: Descriptor = { properties: new Map(), options: [], networks: [], sizes: new Map() };
  for (const file of every(root, 'File')) {
    const size = text(member(file, '@size'));
    found.sizes.set(text(member(file, '@href')), size === '' ? null : Number(size));
  }
  for (const each of every(root, 'Configuration')) found.options.push(text(member(each, '@id')));
  for (const section of every(root, 'NetworkSection')) {
    for (const network of every(section, 'Network')) found.networks.push(text(member(network, '@name')));
  }
  for (const section of every(root, 'ProductSection')) {
    const [own, instance] = [text(member(section, '@class')), text(member(section, '@instance'))];
    for (const property of every(section, 'Property')) {
      const key = [own, text(member(property, '@key')), instance].filter((part) => part !== '').join('.');
      found.properties.set(key, text(member(property, '@userConfigurable')) === 'true');
    }
  }
  return found;
}

/** Elements of that name at any depth. */
function every(node: Node, name: string): Node[] {
  return listOf(node).flatMap((each) =>
    names(each).flatMap((child) =>
      listOf((each as Record<string, Node>)[child]).flatMap((inner) =>
        child === name ? [inner, ...every(inner, name)] : every(inner, name),
      ),
    ),
  );
}
