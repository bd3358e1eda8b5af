// Every settings document of the appliance, in the order of the units.
import { certificateAuthoritySettings } from './certificate-authority/settings.ts';
import { dhcpSettings } from './dns-dhcp/dhcp-settings.ts';
import { dnsDhcpSettings } from './dns-dhcp/settings.ts';
import { firewallSettings } from './firewall/settings.ts';
import { kmsSettings } from './kms/settings.ts';
import { ldapSettings } from './ldap/settings.ts';
import { networkSettings } from './network/settings.ts';
import { networkBootSettings } from './network-boot/settings.ts';
import { ntpSettings } from './ntp/settings.ts';
import { oidcSettings } from './oidc/settings.ts';
import { privateCloudServicesSettings } from './private-cloud-services/settings.ts';
import type { AnySettings } from './settings.ts';
import { storageSettings } from './storage/settings.ts';
import { webTerminalSettings } from './web-terminal/settings.ts';

export const SETTINGS: readonly AnySettings[] = [
  networkSettings,
  firewallSettings,
  dnsDhcpSettings,
  dhcpSettings,
  ntpSettings,
  certificateAuthoritySettings,
  kmsSettings,
  ldapSettings,
  oidcSettings,
  privateCloudServicesSettings,
  storageSettings,
  networkBootSettings,
  webTerminalSettings,
];
