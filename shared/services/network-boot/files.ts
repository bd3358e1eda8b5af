// Paths of the unit's files on the appliance, and of the first boot programs.
import { FRAGMENT_FOLDER } from '../../platform/host/dnsmasq-daemon.ts';

export { MANIFEST_PATH } from './manifest.ts';

export const FRAGMENT_FILE = `${FRAGMENT_FOLDER}/network-boot.conf`;
export const TFTP_FOLDER = '/var/lib/groundcrew/tftp';

/** Debian's iPXE (package ipxe). */
export const IPXE_FOLDER = '/usr/lib/ipxe';
export const BIOS_PROGRAM = 'undionly.kpxe';
export const EFI_PROGRAM = 'snponly.efi';
export const BOOT_PROGRAMS = [BIOS_PROGRAM, EFI_PROGRAM] as const;
