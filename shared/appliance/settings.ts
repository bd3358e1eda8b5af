// Every settings document of the appliance, in the order of the units.
import { certificateAuthoritySettings } from '../platform/certificate-authority/settings.ts';
import { networkSettings } from '../platform/network/settings.ts';
import type { AnySettings } from '../platform/units/settings.ts';
import { dhcpSettings } from '../services/dns-dhcp/dhcp-settings.ts';
import { dnsDhcpSettings } from '../services/dns-dhcp/settings.ts';
import { firewallSettings } from '../services/firewall/settings.ts';
import { kmsSettings } from '../services/kms/settings.ts';
import { ldapSettings } from '../services/ldap/settings.ts';
import { networkBootSettings } from '../services/network-boot/settings.ts';
import { ntpSettings } from '../services/ntp/settings.ts';
import { privateCloudServicesSettings } from '../services/offline-depot/settings.ts';
import { oidcSettings } from '../services/oidc/settings.ts';
import { storageSettings } from '../services/storage/settings.ts';
import { webTerminalSettings } from '../services/web-terminal/settings.ts';

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
