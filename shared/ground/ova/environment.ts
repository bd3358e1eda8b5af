// The OVF environment: what a guest reads its properties from, where no vCenter writes it. (DSP0243 "OVF environment".)
import { escapeXml } from '../xml/text.ts';
import type { PropertyValue } from './property-values.ts';

export interface EnvironmentFacts {
  /** The machine's managed object id: `vm-17`, `42` on a host. */
  machine_id: string;
  /** Of the host, from its service content. */
  about: { name: string; version: string; vendor: string };
  properties: readonly PropertyValue[];
}

/** The document as text. It holds the passwords among the properties. @throws Error for text that XML can't carry */
export function ovfEnvironment({ machine_id, about, properties }: EnvironmentFacts): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Environment xmlns="http://schemas.dmtf.org/ovf/environment/1"',
    '  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
    '  xmlns:oe="http://schemas.dmtf.org/ovf/environment/1"',
    '  xmlns:ve="http://www.vmware.com/schema/ovfenv"',
    `  oe:id="" ve:esxId="${escapeXml(machine_id)}">`,
    '  <PlatformSection>',
    `    <Kind>${escapeXml(about.name)}</Kind>`,
    `    <Version>${escapeXml(about.version)}</Version>`,
    `    <Vendor>${escapeXml(about.vendor)}</Vendor>`,
    '    <Locale>en</Locale>',
    '  </PlatformSection>',
    '  <PropertySection>',
    ...properties.map(({ key, value }) => `    <Property oe:key="${escapeXml(key)}" oe:value="${escapeXml(value)}"/>`),
    '  </PropertySection>',
    '</Environment>',
    '',
  ].join('\n');
}
