// Settings of network boot: the plain-HTTP listener and TFTP, from which ESX hosts start their installer.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { flag, hostName, listenInterfaces, port, webAddress } from '../../platform/units/settings-schemas.ts';
import { refuseSettingsBeyondReach } from './vault-reach.ts';

/** Port of TFTP (RFC 1350). HTTP can't have it, so that a boot log is never ambiguous. */
const TFTP_PORT = 69;
// No comma: dnsmasq reads what follows as the name of a server. At most 500 characters: encoding makes up to twelve of
// one, and dnsmasq reads no more than a thousand of a line.
const BOOT_URL =
  'Must be empty, none, or an http URL without user, fragment and comma, at most 500 characters once encoded.';
const URL_MOST = 500;
/** Firmware that fetches over HTTP gets no boot program. */
export const NO_BOOT_URL = 'none';

const MEMBERS = {
  enabled: flag('Whether hosts can boot from the appliance.'),
  hostname: hostName('Name of the boot listener, such as boot.lab.example; empty for none.'),
  listen_interfaces: listenInterfaces('Interfaces that it answers on, by name.'),
  http_port: port(`TCP port of plain HTTP, not ${TFTP_PORT}:`),
  tftp_enabled: flag('Also serves the first boot program over TFTP, for firmware without HTTP boot.'),
  uefi_http_url: webAddress(
    'http:',
    ({ href }) => !href.includes(',') && href.length <= URL_MOST,
    BOOT_URL,
    'Boot program for firmware with native UEFI HTTP boot. Empty: the appliance’s own program, at the current address and port of the machine’s boot listener. `none`: UEFI HTTP boot is off.',
    NO_BOOT_URL,
  ),
};

export const networkBootSettings: UnitSettings<typeof MEMBERS> = {
  key: 'network-boot',
  unit: 'network-boot',
  component: 'NetworkBoot',
  tag: 'Network boot',
  name: 'network boot',
  resource: 'pxe',
  path: '/api/v1/network-boot',
  page: pagePath('network-boot-settings'),
  schema: v.strictObject(MEMBERS),
  example: { enabled: true, hostname: 'boot.lab.test', listen_interfaces: ['ens256.20'], tftp_enabled: true },
  defaults: {
    enabled: false,
    hostname: '',
    listen_interfaces: [],
    http_port: 8081,
    tftp_enabled: true,
    uefi_http_url: '',
  },
  listens: 'required',
  faults: ({ http_port }) =>
    http_port === TFTP_PORT ? [{ pointer: '/http_port', detail: `${TFTP_PORT} is the port of TFTP.` }] : [],
  reserved: refuseSettingsBeyondReach,
  describes:
    'At port 80 of an interface of the certificate portal, the portal keeps its own paths and its host name; network boot has all else. While a host has a Kickstart that takes values of vaults, adding an interface and setting another boot URL need `read:vaults`. A boot URL whose host is one of the service’s own addresses follows when that address is replaced; any other stays.',
};
