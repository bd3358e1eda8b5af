// From desired state to the applied manifest and to dnsmasq's options for machines that boot. dnsmasq(8): a machine
// that runs iPXE gets the menu; any other gets iPXE, by its architecture (RFC 4578, 2.1): 0 BIOS, 7 and 9 UEFI on x64,
// 16 UEFI on x64 that fetches over HTTP and expects option 60.
import type { RenderedFile } from '../../ground/machine/host.ts';
import type { BootScope } from '../../platform/units/unit.ts';
import type { ListenInterface, NetworkBootDesired } from './desired.ts';
import { BIOS_PROGRAM, EFI_PROGRAM, FRAGMENT_FILE, MANIFEST_PATH, TFTP_FOLDER } from './files.ts';
import { httpProgram, ipv4Of, listenersOf, originOf, pointedTo } from './listening.ts';
import { writeManifest } from './manifest.ts';
import { MENU_PATH } from './paths.ts';
import { NO_BOOT_URL } from './settings.ts';

const HEADER = '# Written by Groundcrew from its desired state; edits are lost with the next apply.\n';

const TAG = { ipxe: 'boot-ipxe', bios: 'boot-bios', efi: 'boot-efi', http: 'boot-http' } as const;

/** iPXE sends its own option (175), whatever the architecture: it is matched first. */
const KINDS = [
  `dhcp-match=set:${TAG.ipxe},175`,
  `dhcp-match=set:${TAG.bios},option:client-arch,0`,
  `dhcp-match=set:${TAG.efi},option:client-arch,7`,
  `dhcp-match=set:${TAG.efi},option:client-arch,9`,
  `dhcp-match=set:${TAG.http},option:client-arch,16`,
];

/** `where`: the tag that dnsmasq sets for the interface that a request came in on, or for its scope. */
function bootLines({ settings }: NetworkBootDesired, link: ListenInterface, where = link.name): string[] {
  const address = ipv4Of(link);
  if (address === null) return [];
  const { tftp_enabled, http_port } = settings;
  const http = httpProgram(settings, address);
  const first = (tag: string, file: string, server = '') =>
    `dhcp-boot=tag:!${TAG.ipxe},tag:${tag},tag:${where},${file}${server}`;
  return [
    `dhcp-boot=tag:${TAG.ipxe},tag:${where},${originOf(address, http_port)}${MENU_PATH}`,
    ...(tftp_enabled
      ? [first(TAG.efi, EFI_PROGRAM, `,,${address}`), first(TAG.bios, BIOS_PROGRAM, `,,${address}`)]
      : []),
    ...(http === null ? [] : [first(TAG.http, http)]),
  ];
}

/** A scope whose own interface has the listener needs no lines. */
function scopeLines(desired: NetworkBootDesired, scope: BootScope): string[] {
  const { link } = pointedTo(desired, scope);
  return link === null || link.name === scope.interface ? [] : bootLines(desired, link, scope.id);
}

function renderFragment(desired: NetworkBootDesired, resolve: (path: string) => string): string {
  const { settings, listen } = desired;
  const names = listen.filter((link) => ipv4Of(link) !== null).map(({ name }) => name);
  const tftp = settings.tftp_enabled && names.length > 0;
  const lines = [
    ...KINDS,
    ...(settings.uefi_http_url === NO_BOOT_URL ? [] : [`dhcp-option-force=tag:${TAG.http},60,HTTPClient`]),
    // One line for each name: dnsmasq reads no more than a thousand characters of a line.
    ...(tftp ? [...names.map((name) => `enable-tftp=${name}`), `tftp-root=${resolve(TFTP_FOLDER)}`] : []),
    ...listen.flatMap((link) => bootLines(desired, link)),
    // After those of the interfaces: dnsmasq uses the last match.
    ...desired.scopes.flatMap((scope) => scopeLines(desired, scope)),
  ];
  return `${HEADER}${lines.join('\n')}\n`;
}

/** The unit's files; none while network boot is off. */
export function render(desired: NetworkBootDesired, resolve: (path: string) => string): RenderedFile[] {
  if (!desired.settings.enabled) return [];
  const { hosts, media } = desired;
  const kickstarts = desired.kickstarts.map(({ vault_values: _looked_up_later, ...kickstart }) => kickstart);
  const manifest = writeManifest({ version: 1, listeners: listenersOf(desired), hosts, kickstarts, media });
  return [
    // For the service alone, though its secrets are sealed: on the appliance the folder gives the file the service's
    // group.
    { path: MANIFEST_PATH, content: manifest, mode: 0o640 },
    { path: FRAGMENT_FILE, content: renderFragment(desired, resolve), mode: 0o644 },
  ];
}
