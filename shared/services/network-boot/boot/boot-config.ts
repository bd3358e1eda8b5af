// boot.cfg of one attempt: what the medium ships, with absolute addresses and the Kickstart's. Pure. Loaders may read it
// several times: nothing is consumed by it.

export type BootConfig = readonly (readonly [key: string, value: string])[];

/** File names of the medium begin with a slash, which a prefix does not go before. */
const relative = (name: string): string => name.trim().replace(/^\/+/, '');

/** Options that would send the installer elsewhere. */
const DROPPED = /^(?:cdromBoot|ks=.*|ks)$/i;

function kernelOptions(shipped: string, kickstart: string): string {
  const kept = shipped.split(/\s+/).filter((option) => option !== '' && !DROPPED.test(option));
  const weasel = kept.includes('runweasel') ? [] : ['runweasel'];
  return [...weasel, ...kept, `ks=${kickstart}`].join(' ');
}

/** `prefix`: URL of the medium's folder; `kickstart`: URL of the text. */
export function renderBootConfig(
  lines: BootConfig,
  { prefix, kickstart }: { prefix: string; kickstart: string },
): string {
  const written: Record<string, (value: string) => string> = {
    kernel: relative,
    modules: (value) =>
      value
        .replaceAll(/\s+/g, ' ')
        .split(/ ?--- ?/)
        .map(relative)
        .join(' --- '),
    kernelopt: (value) => kernelOptions(value, kickstart),
  };
  const kept = lines
    .filter(([key]) => key !== 'prefix')
    .map(([key, value]) => [key, Object.hasOwn(written, key) ? written[key]!(value) : value]);
  if (!lines.some(([key]) => key === 'kernelopt')) kept.push(['kernelopt', kernelOptions('', kickstart)]);
  const title = kept.findIndex(([key]) => key === 'kernel');
  kept.splice(Math.max(0, title), 0, ['prefix', prefix]);
  return `${kept.map(([key, value]) => `${key}=${value}`).join('\n')}\n`;
}

/** Configuration of pxelinux, which starts the loader of a BIOS: all of it lies beside this file. */
export const PXELINUX_CONFIG = `DEFAULT install
NOHALT 1
LABEL install
  KERNEL mboot.c32
  APPEND -c boot.cfg
`;
