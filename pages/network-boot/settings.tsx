// The settings of network boot.
import { isIPv6 } from 'node:net';
import { httpProgram } from '../../shared/services/network-boot/listening.ts';
import { networkBootSettings } from '../../shared/services/network-boot/settings.ts';
import { Codes } from '../units/listing.tsx';
import { settingsPage } from '../units/settings-page.tsx';
import { NETWORK_BOOT } from './host-pages.tsx';

export const page = settingsPage(networkBootSettings, {
  title: 'Network boot settings',
  what: 'network boot',
  intro: 'Where hosts load their boot programs: over HTTP, or over TFTP for older firmware.',
  above: NETWORK_BOOT,
  facts: (saved) => [{ label: 'UEFI HTTP boot', value: <HttpProgram saved={saved} /> }],
  groups: [
    {
      legend: 'Where it answers',
      fields: [
        { name: 'enabled', label: 'Network boot', kind: 'switch', text: 'Let hosts boot from here' },
        { name: 'listen_interfaces', label: 'Listen on', kind: 'interfaces' },
        {
          name: 'hostname',
          label: 'Host name',
          kind: 'text',
          mono: true,
          wide: true,
          placeholder: 'boot.lab.example',
          help: 'For DNS only. Booting hosts use the IP address.',
        },
        { name: 'http_port', label: 'HTTP port', kind: 'number' },
      ],
    },
    {
      legend: 'Firmware',
      fields: [
        {
          name: 'tftp_enabled',
          label: 'TFTP',
          kind: 'switch',
          text: 'Also serve the first boot program over TFTP',
          help: 'On UDP port 69, for firmware without HTTP boot.',
        },
        {
          name: 'uefi_http_url',
          label: 'UEFI HTTP boot',
          kind: 'text',
          mono: true,
          wide: true,
          placeholder: 'the appliance’s own',
          help: 'URL of the boot program for firmware with native HTTP boot. Empty: the appliance’s own program, at its current address and port. “none” turns UEFI HTTP boot off. If the URL names an address of this service, it follows when that address changes; the port does not.',
        },
      ],
    },
  ],
});

/** The URLs that machines are told, also where the field is empty. */
function HttpProgram({ saved }: { saved: Readonly<Record<string, unknown>> }) {
  const settings = saved as unknown as (typeof networkBootSettings)['defaults'] & { listen_addresses?: string[] };
  const addresses = (settings.listen_addresses ?? []).filter((address) => !isIPv6(address));
  return <Codes items={[...new Set(addresses.flatMap((address) => httpProgram(settings, address) ?? []))]} />;
}
