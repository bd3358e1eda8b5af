// The settings of network boot.
import { networkBootSettings } from '../../shared/units/network-boot/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';
import { NETWORK_BOOT } from './host-pages.tsx';

export const page = settingsPage(networkBootSettings, {
  title: 'Network boot settings',
  what: 'network boot',
  intro: 'Where hosts get their boot programs from: plain HTTP, and TFTP for firmware that has nothing better.',
  above: NETWORK_BOOT,
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
          help: 'For the name service alone: machines that boot are given addresses, and get answers at no name.',
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
          placeholder: 'http://10.10.0.5:8081/boot/ipxe/snponly.efi',
          help: 'URL of the boot program for firmware with native HTTP boot; empty: none is offered. The boot listener has one at /boot/ipxe/snponly.efi. An address of this service in it follows when that address is replaced; a changed port does not.',
        },
      ],
    },
  ],
});
