// boot.cfg of one attempt: that of the medium, with absolute URLs and the URL of the Kickstart. Pure. Loaders may read
// it several times; that consumes nothing.

export type BootConfig = readonly (readonly [key: string, value: string])[];

/** File names of the medium begin with a slash, which must go for a prefix to apply. */
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

/** Configuration of pxelinux, which starts the loader on BIOS; all files are beside it. */
export const PXELINUX_CONFIG = `DEFAULT install
NOHALT 1
LABEL install
  KERNEL mboot.c32
  APPEND -c boot.cfg
`;
